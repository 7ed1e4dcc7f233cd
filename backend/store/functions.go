package store

import (
	"database/sql/driver"
	"sync"

	"modernc.org/sqlite"

	"hearth/backend/chat"
	"hearth/backend/search"
)

// AddFunctions gives SQLite the functions of ours that the schema and the search use.
// Every connection has them that is opened later; whoever writes rows without a Store needs
// them too.
var AddFunctions = sync.OnceValue(func() error {
	for name, of := range map[string]func(string) string{
		"search_text": search.Indexed, // what the index of rows is given
		"name_fold":   chat.Fold,
	} {
		err := sqlite.RegisterDeterministicScalarFunction(name, 1, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			switch text := args[0].(type) {
			case string:
				return of(text), nil
			case []byte:
				return of(string(text)), nil
			}
			return args[0], nil
		})
		if err != nil {
			return err
		}
	}
	return nil
})

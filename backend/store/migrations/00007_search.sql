-- What finds rows by any part of their text. It keeps no text of its own, only which rows have which three characters in a row,
-- of the text in the form in which it is compared. search_text is a function of ours; it is given bytes, since a text would end at a NUL. Its rowid is that of the row.
-- detail=none: places are not kept, which makes it a third as large; a row that is found is looked at anyhow.

-- +goose Up

CREATE VIRTUAL TABLE search USING fts5(body, tokenize = 'trigram case_sensitive 1', content = '', contentless_delete = 1, detail = none);

-- Its three characters in a row, in order: so words of one or two are found too, as their beginnings.
CREATE VIRTUAL TABLE search_terms USING fts5vocab('search', 'row');

-- +goose StatementBegin
CREATE TRIGGER rows_found AFTER INSERT ON rows BEGIN
    INSERT INTO search (rowid, body) VALUES (new.rowid, search_text(CAST(new.body AS BLOB)));
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER rows_found_anew AFTER UPDATE OF body ON rows BEGIN
    UPDATE search SET body = search_text(CAST(new.body AS BLOB)) WHERE rowid = new.rowid;
END;
-- +goose StatementEnd

-- Of rows that go with their channel, too.
-- +goose StatementBegin
CREATE TRIGGER rows_lost AFTER DELETE ON rows BEGIN
    DELETE FROM search WHERE rowid = old.rowid;
END;
-- +goose StatementEnd

INSERT INTO search (rowid, body) SELECT rowid, search_text(CAST(body AS BLOB)) FROM rows;

package freedesktop

import (
	"sync"

	"github.com/godbus/dbus/v5"
)

// connection is one to the session bus, which is made when there is something to say.
type connection struct {
	mutex  sync.Mutex     // of this, and of what stands beside it
	conn   *dbus.Conn     // nil: not connected yet, or not any more
	closed bool           // for good
	heard  sync.WaitGroup // whoever listens
}

// Close ends it. An icon goes with it, notices that are shown stay. It may be called more than once.
func (c *connection) Close() error {
	c.mutex.Lock()
	c.closed = true
	conn := c.conn
	c.conn = nil
	c.mutex.Unlock()
	var err error
	if conn != nil {
		err = conn.Close()
	}
	c.heard.Wait()
	return err
}

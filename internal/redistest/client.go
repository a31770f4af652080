package redistest

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/slotcast/slotcast/resp"
)

// client is one connection to a server, dialled when first used and again after a failure. It speaks RESP2 and is safe for
// concurrent use; a conversation has the connection to itself.
type client struct {
	addr               string
	username, password string

	mu   sync.Mutex
	conn net.Conn
	in   *resp.Reader
}

// do sends one command and returns its reply; an error reply is an error.
func (c *client) do(ctx context.Context, args ...string) (resp.Value, error) {
	values, err := c.pipeline(ctx, args)
	if err != nil {
		return resp.Value{}, err
	}
	return values[0], values[0].Err()
}

// pipeline sends the commands in one write and returns one value for each; error replies are values.
func (c *client) pipeline(ctx context.Context, commands ...[]string) ([]resp.Value, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		if err := c.dial(ctx); err != nil {
			return nil, err
		}
	}
	values, err := c.talk(ctx, commands)
	if err != nil {
		c.drop()
		return nil, fmt.Errorf("redistest: %s: %s: %w", c.addr, commands[0][0], err)
	}
	return values, nil
}

func (c *client) dial(ctx context.Context) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.addr)
	if err != nil {
		return fmt.Errorf("redistest: %w", err)
	}
	c.conn, c.in = conn, resp.NewReader(conn, resp.Limits{})
	if c.password == "" {
		return nil
	}
	auth := []string{"AUTH", c.password}
	if c.username != "" {
		auth = []string{"AUTH", c.username, c.password}
	}
	values, err := c.talk(ctx, [][]string{auth})
	if err == nil {
		err = values[0].Err()
	}
	if err != nil {
		c.drop()
		return fmt.Errorf("redistest: %s: AUTH: %w", c.addr, err)
	}
	return nil
}

func (c *client) talk(ctx context.Context, commands [][]string) (values []resp.Value, err error) {
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(doTimeout)
	}
	if err := c.conn.SetDeadline(deadline); err != nil {
		return nil, err
	}
	conn := c.conn
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	defer func() {
		if !stop() && err == nil {
			err = context.Cause(ctx) // the past deadline may be set at any moment: the connection is of no more use
		}
	}()

	var out []byte
	for _, args := range commands {
		out = resp.AppendCommand(out, args...)
	}
	if _, err := conn.Write(out); err != nil {
		return nil, err
	}
	values = make([]resp.Value, len(commands))
	for i := range values {
		value, err := c.in.Value()
		if err != nil {
			return nil, err
		}
		values[i] = value
	}
	return values, nil
}

func (c *client) drop() {
	c.conn.Close()
	c.conn, c.in = nil, nil
}

func (c *client) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn != nil {
		c.drop()
	}
}

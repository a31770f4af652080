package conn_test

import (
	"context"
	"fmt"
	"log"
	"net"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/resp"
)

// exampleConfig dials a server in memory that answers GET with the key's name.
func exampleConfig() *conn.Config {
	return &conn.Config{Dial: func(context.Context, string, string) (net.Conn, error) {
		return fakeredis.Pipe(fakeredis.Ready(echo)), nil
	}}
}

func ExamplePool() {
	ctx := context.Background()
	pool := conn.NewPool("127.0.0.1:6379", exampleConfig())
	defer pool.Close()

	c, err := pool.Get(ctx)
	if err != nil {
		log.Fatal(err)
	}
	v, err := c.Do(ctx, "GET", "courier")
	pool.Report(err)
	pool.Put(c)
	fmt.Println(v.Text, err)
	// Output: courier <nil>
}

// Two requests travel in one write, and the replies are read in place.
func ExampleConn_Flush() {
	c, err := conn.Dial(context.Background(), "127.0.0.1:6379", exampleConfig())
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()

	out := c.Out()
	out = resp.AppendCommand(out, "GET", "courier")
	out = resp.AppendCommand(out, "GET", "restaurant")
	c.Commit(out, 2)
	if _, err := c.Flush(); err != nil {
		log.Fatal(err)
	}
	for c.Pending() > 0 {
		value, err := c.Reader().Bulk()
		if err != nil {
			log.Fatal(c.Fail(err))
		}
		fmt.Printf("%s\n", value)
		c.Received()
	}
	// Output:
	// courier
	// restaurant
}

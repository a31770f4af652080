package resp_test

import (
	"fmt"
	"strings"

	"github.com/slotcast/slotcast/resp"
)

func ExampleReader() {
	answer := strings.NewReader("*3\r\n$12\r\n412.3,5120.7\r\n$-1\r\n$9\r\n88.1,1034\r\n")
	r := resp.NewReader(answer, resp.Limits{})

	n, err := r.Array()
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range n {
		value, err := r.Bulk() // valid until the next call on r
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d: %q, missing: %v\n", i, value, value == nil)
	}
	// Output:
	// 0: "412.3,5120.7", missing: false
	// 1: "", missing: true
	// 2: "88.1,1034", missing: false
}

func ExampleReader_More() {
	answer := strings.NewReader("*2\r\n*2\r\n:0\r\n:5460\r\n*?\r\n:5461\r\n:10922\r\n.\r\n")
	r := resp.NewReader(answer, resp.Limits{})

	if _, err := r.Array(); err != nil {
		fmt.Println(err)
		return
	}
	for r.More() {
		if _, err := r.Array(); err != nil {
			fmt.Println(err)
			return
		}
		var slots []int64
		for r.More() {
			slot, err := r.Int()
			if err != nil {
				fmt.Println(err)
				return
			}
			slots = append(slots, slot)
		}
		fmt.Println(slots)
	}
	// Output:
	// [0 5460]
	// [5461 10922]
}

func ExampleReader_Value() {
	answer := strings.NewReader("%2\r\n$7\r\nversion\r\n$6\r\n7.0.15\r\n$5\r\nproto\r\n:3\r\n")
	hello, err := resp.NewReader(answer, resp.Limits{}).Value()
	if err != nil {
		fmt.Println(err)
		return
	}
	version, _ := hello.Get("version")
	proto, _ := hello.Get("proto")
	fmt.Println(version.Text, proto.Int)
	// Output: 7.0.15 3
}

func ExampleAppendCommand() {
	fmt.Printf("%q\n", resp.AppendCommand(nil, "GET", "key"))
	// Output: "*2\r\n$3\r\nGET\r\n$3\r\nkey\r\n"
}

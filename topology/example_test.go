package topology_test

import (
	"fmt"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/topology"
)

func ExampleMap() {
	m, err := topology.NewMap([]topology.Shard{
		{Primary: topology.Node{Addr: "10.0.0.1:6379"}, Slots: []topology.Range{{Start: 0, End: 8192}}},
		{Primary: topology.Node{Addr: "10.0.0.2:6379"}, Slots: []topology.Range{{Start: 8192, End: 16384}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	slot := crc16.Slot("foo{bar}")
	fmt.Println(slot, m.Shards()[m.ShardOf(slot)].Primary.Addr)
	if r, ok := topology.ParseRedirect([]byte("MOVED 5061 10.0.0.2:6379")); ok {
		addr, _ := r.Addr(topology.Asked{Host: "10.0.0.1"})
		m = m.WithMoved([]topology.Move{{Slot: r.Slot, Addr: addr}})
	}
	fmt.Println(slot, m.Shards()[m.ShardOf(slot)].Primary.Addr)
	// Output:
	// 5061 10.0.0.1:6379
	// 5061 10.0.0.2:6379
}

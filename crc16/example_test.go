package crc16_test

import (
	"fmt"

	"github.com/slotcast/slotcast/crc16"
)

func ExampleSlot() {
	fmt.Println(crc16.Slot("{user1000}.following"))
	fmt.Println(crc16.Slot("{user1000}.followers"))
	fmt.Println(crc16.HashTag("{user1000}.followers"))
	// Output:
	// 3443
	// 3443
	// user1000
}

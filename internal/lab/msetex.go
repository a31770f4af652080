package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/resp"
)

// msetexState says whether MSETEX (Redis 8.4, Valkey 9.1) can be used in a cluster. Valkey 9.1.2 neither redirects it nor
// refuses keys of two slots: sent to a node that does not own the slot it stores the keys there.
type msetexState string

const (
	msetexAbsent msetexState = "unknown to these servers"
	msetexSafe   msetexState = "safe"
	msetexUnsafe msetexState = "unsafe: a server does not check its slots"
)

// probeMSETEX asks every primary, in a manner that writes nothing in any case: two keys of different slots that never exist,
// only to be set if they do. A server that checks slots refuses.
func (c *cluster) probeMSETEX(ctx context.Context) (msetexState, error) {
	keys := c.keysOfTwoSlots()
	state := msetexSafe
	for _, n := range c.nodes {
		v, err := n.Do(ctx, "MSETEX", "2", keys[0], "v", keys[1], "v", "XX", "PX", "1")
		one, err := judgeMSETEX(v, err)
		if err != nil {
			return "", fmt.Errorf("%s: MSETEX: %w", n.addr, err)
		}
		if one == msetexUnsafe || state == msetexSafe {
			state = one
		}
	}
	return state, nil
}

// judgeMSETEX reads a server's reply to the probe.
func judgeMSETEX(v resp.Value, err error) (msetexState, error) {
	var reply *resp.Error
	switch {
	case errors.As(err, &reply) && (reply.Code() == "CROSSSLOT" || reply.Code() == "MOVED"):
		return msetexSafe, nil
	case errors.As(err, &reply) && (reply.Code() == "ERR" || reply.Code() == "NOPERM"):
		return msetexAbsent, nil // unknown command, other syntax, or not for this user
	case err != nil:
		return "", err
	}
	return msetexUnsafe, nil
}

// keysOfTwoSlots returns two keys that nobody writes.
func (c *cluster) keysOfTwoSlots() (keys [2]string) {
	keys[0] = c.prefix + ":probe:0"
	for i := 1; keys[1] == "" || crc16.Slot(keys[0]) == crc16.Slot(keys[1]); i++ {
		keys[1] = fmt.Sprint(c.prefix, ":probe:", i)
	}
	return keys
}

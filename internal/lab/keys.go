package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/resp"
)

// will says that the keys may be written from now on, so that they are deleted in the end.
func (c *cluster) will(keys []string) {
	for _, key := range keys {
		c.keys[key] = struct{}{}
	}
}

const (
	cleanPause    = 50 * time.Millisecond // between two passes of clean
	cleanFailures = 3                     // passes that may fail: a slot may move between the look at the map and the command
	keysPerWrite  = 1000                  // of the lab's own pipelines
)

// clean deletes every key that may have been written. It makes two passes at least and goes on until one finds nothing: of a
// write that was interrupted, the last command may be in the server's socket still, to be run after the first pass.
func (c *cluster) clean(ctx context.Context) error {
	if len(c.keys) == 0 {
		return nil
	}
	failures := 0
	for pass := 1; ; pass++ {
		n, err := c.unlink(ctx)
		if err == nil && n == 0 && pass > 1 {
			clear(c.keys)
			return nil
		}
		if err != nil {
			failures++
		}
		if failures == cleanFailures || ctx.Err() != nil {
			return fmt.Errorf("some keys of %s could not be deleted: %w", c.prefix, errors.Join(err, ctx.Err()))
		}
		select {
		case <-time.After(cleanPause):
		case <-ctx.Done():
		}
	}
}

// unlink makes one pass over the keys and returns how many there were.
func (c *cluster) unlink(ctx context.Context) (n int, err error) {
	err = c.each(ctx, "UNLINK", c.keys, func(_ string, v resp.Value) { n += int(v.Int) })
	return n, err
}

// lifetimes asks which of the keys exist and how many of those would stay for ever.
func (c *cluster) lifetimes(ctx context.Context, keys []string) (there, forever int, err error) {
	set := map[string]struct{}{}
	for _, key := range keys {
		set[key] = struct{}{}
	}
	err = c.each(ctx, "PTTL", set, func(_ string, v resp.Value) {
		if v.Int != -2 {
			there++
		}
		if v.Int == -1 {
			forever++
		}
	})
	return there, forever, err
}

// each sends a command per key, in pipelines, and gives the replies to reply.
func (c *cluster) each(ctx context.Context, command string, keys map[string]struct{}, reply func(key string, v resp.Value)) error {
	byNode := make([][]string, len(c.nodes))
	for key := range keys {
		i := c.nodeAt(crc16.Slot(key)).index
		byNode[i] = append(byNode[i], key)
	}
	for i, n := range c.nodes {
		for keys := range slices.Chunk(byNode[i], keysPerWrite) {
			q := request{n, len(keys), func(dst []byte) []byte {
				for _, key := range keys {
					dst = resp.AppendCommand(dst, command, key)
				}
				return dst
			}}
			err := exchange(ctx, []request{q}, func(_, j int, r *resp.Reader) error {
				v, err := r.Value()
				if err == nil {
					err = v.Err()
				}
				if err != nil {
					return fmt.Errorf("%s: %w", command, err)
				}
				reply(keys[j], v)
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

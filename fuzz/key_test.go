package fuzz_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/routecache"
	"github.com/slotcast/slotcast/topology"
)

// FuzzKey makes keys of any pair of cells, by a KeyEncoder with any template and by some layouts.
//
//   - A key is {<template>}<origin>:<dest>:<resolution>, the cells in hex, as Printf has it.
//   - As a bulk string it is the same, and as long as Len says; nothing before it changes.
//   - A layout's key has the tag of the pair's anchor, and lies in the anchor's slot.
func FuzzKey(f *testing.F) {
	layouts := someLayouts(f)
	f.Add(routecache.DefaultTemplate, 17, uint64(0x89283082a53ffff), uint64(0x892830828efffff), byte(9))
	f.Add(routecache.DefaultTemplate, 1234567, uint64(0x8f2830828052d25), uint64(0x8f283082a30e623), byte(15))
	f.Add("%d", 5, uint64(0x8029fffffffffff), uint64(0x80f3fffffffffff), byte(0))
	f.Add("eta-%d-car", 12, uint64(0x8a0123456789abc), uint64(0x8afedcba9876543), byte(10))
	f.Fuzz(func(t *testing.T, template string, n int, origin, dest uint64, resolution byte) {
		n, resolution = n&(1<<63-1), resolution%16
		p := routecache.Pair{Origin: cellOf(origin, int(resolution)), Dest: cellOf(dest, int(resolution))}
		if tmpl, err := routecache.ParseTemplate(template); err == nil {
			want := keyOf(template, n, p, resolution)
			e := routecache.NewKeyEncoder(tmpl, n, int(resolution))
			if got := string(e.AppendKey([]byte("+"), p)); got != "+"+want || e.Len() != len(want) {
				t.Fatalf("%q, length %d, want %q", got, e.Len(), want)
			}
			if got := string(e.AppendBulk([]byte("+"), p)); got != fmt.Sprintf("+$%d\r\n%s\r\n", len(want), want) {
				t.Fatalf("%q, want %q in a bulk string", got, want)
			}
		}
		l := layouts[resolution]
		a := l.Anchors().List[l.Anchor(p)]
		key := l.AppendKey([]byte("+"), p)
		if want := "+" + keyOf(routecache.DefaultTemplate, a.N, p, resolution); string(key) != want {
			t.Fatalf("%q, want %q", key, want)
		}
		if slot := crc16.Slot(key[1:]); slot != a.Slot || l.Topology().ShardOf(slot) != a.Shard {
			t.Fatalf("%q is in slot %d of shard %d, its anchor in %d of %d", key[1:], slot, l.Topology().ShardOf(slot), a.Slot, a.Shard)
		}
	})
}

func keyOf(template string, n int, p routecache.Pair, resolution byte) string {
	return fmt.Sprintf("{%s}%x:%x:%d", strings.Replace(template, "%d", fmt.Sprint(n), 1), uint64(p.Origin), uint64(p.Dest), resolution)
}

// someLayouts walk a cluster with 1 to 5 primaries and as many seats, one for each resolution.
func someLayouts(f *testing.F) (layouts [routecache.MaxResolution + 1]*routecache.Layout) {
	tmpl, err := routecache.ParseTemplate(routecache.DefaultTemplate)
	if err != nil {
		f.Fatal(err)
	}
	for resolution := range layouts {
		n := 1 + resolution%5
		m, err := topology.NewMap(equalShards(n))
		if err != nil {
			f.Fatal(err)
		}
		if layouts[resolution], err = routecache.NewLayout(m, tmpl, resolution, n, 0); err != nil {
			f.Fatal(err)
		}
	}
	return layouts
}

// equalShards are n shards with equal shares of the slots.
func equalShards(n int) []topology.Shard {
	shards := make([]topology.Shard, n)
	for i := range shards {
		shards[i] = topology.Shard{
			Primary: topology.Node{ID: fmt.Sprintf("%040x", i+1), Addr: fmt.Sprintf("127.0.0.1:%d", 7000+i)},
			Slots:   []topology.Range{{Start: uint16(i * crc16.SlotCount / n), End: uint16((i + 1) * crc16.SlotCount / n)}},
		}
	}
	return shards
}

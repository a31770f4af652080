package crc16_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/internal/redistest"
)

// "B9 the server decides": what CLUSTER KEYSLOT says of random keys, with bytes of every value and braces in every place.
func TestSlotAgainstServer(t *testing.T) {
	c := redistest.Start(t, redistest.Config{Primaries: 1})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	rng := rand.New(rand.NewPCG(5, 6))
	const rounds, perRound = 20, 500 // the replies of a round fit into the socket's buffers
	for range rounds {
		keys := make([]string, perRound)
		commands := make([][]string, perRound)
		for i := range keys {
			keys[i] = randomKey(rng)
			commands[i] = []string{"CLUSTER", "KEYSLOT", keys[i]}
		}
		slots, err := c.Node(0).Pipeline(ctx, commands...)
		require.NoError(t, err)
		for i, slot := range slots {
			want, err := slot.AsInt()
			require.NoError(t, err)
			require.Equal(t, want, int64(crc16.Slot(keys[i])), "key %q", keys[i])
		}
	}
}

// randomKey returns up to 80 random bytes, of which up to six are braces.
func randomKey(rng *rand.Rand) string {
	key := make([]byte, rng.IntN(81))
	for i := range key {
		key[i] = byte(rng.Uint32())
	}
	if len(key) > 0 {
		for range rng.IntN(7) {
			key[rng.IntN(len(key))] = "{}"[rng.IntN(2)]
		}
	}
	return string(key)
}

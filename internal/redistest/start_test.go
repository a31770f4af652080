package redistest_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/redistest"
)

// TestStart starts clusters with every kind of server there is, and checks their shape by what the servers say.
func TestStart(t *testing.T) {
	t.Parallel()
	for _, binary := range binaries() {
		for _, replicas := range []int{0, 1} {
			t.Run(fmt.Sprintf("%s/3+%d", binary.name, 3*replicas), func(t *testing.T) {
				t.Parallel()
				c := redistest.Start(t, redistest.Config{Binary: binary.path, Primaries: 3, Replicas: replicas})
				require.Len(t, c.Addrs(), 3+3*replicas)
				name, version, err := c.Node(0).Version(t.Context())
				require.NoError(t, err)
				t.Log(name, version)

				for i, slot := range []int{0, 5461, 10923} {
					primary, err := c.PrimaryOf(t.Context(), slot)
					require.NoError(t, err)
					assert.Same(t, c.Node(i), primary, "slot %d", slot)
				}
				for i, slot := range []int{5460, 10922, 16383} {
					primary, err := c.PrimaryOf(t.Context(), slot)
					require.NoError(t, err)
					assert.Same(t, c.Node(i), primary, "slot %d", slot)
				}
				for i := range 3 * replicas {
					role, err := c.Node(3 + i).Do("ROLE")
					require.NoError(t, err)
					require.Len(t, role.Elems, 5)
					assert.Equal(t, "slave", role.Elems[0].Text)
					assert.Equal(t, c.Node(i).Addr, fmt.Sprintf("%s:%d", role.Elems[1].Text, role.Elems[2].Int))
				}
			})
		}
	}
}

func TestStartWithSlotEnds(t *testing.T) {
	t.Parallel()
	c := redistest.Start(t, redistest.Config{
		Primaries: 5,
		SlotEnds:  []int{3277, 6554, 9831, 13108, 16384},
	})
	for i, slot := range []int{3276, 6553, 9830, 13107, 16383} {
		primary, err := c.PrimaryOf(t.Context(), slot)
		require.NoError(t, err)
		assert.Same(t, c.Node(i), primary, "slot %d", slot)
	}
}

func TestStartWithPassword(t *testing.T) {
	t.Parallel()
	c := redistest.Start(t, redistest.Config{Primaries: 1, Replicas: 1, Password: "sesame"})
	_, err := c.Node(0).Do("SET", "key", "value")
	require.NoError(t, err)
	_, err = c.Node(0).Do("AUTH", "wrong")
	require.ErrorContains(t, err, "WRONGPASS")
}

func TestLaunchRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		cfg  redistest.Config
		want string
	}{
		{"a negative number of replicas", redistest.Config{Replicas: -1}, "-1 replicas"},
		{"slots left over", redistest.Config{Primaries: 2, SlotEnds: []int{8192, 16383}}, "do not cover"},
		{"another number of slot ends", redistest.Config{Primaries: 2, SlotEnds: []int{16384}}, "do not cover"},
		{"a binary that does not exist", redistest.Config{Binary: "/nonexistent/redis-server"}, "server binary"},
		{"a line the server does not know", redistest.Config{Config: []string{"no-such-directive yes"}}, "no-such-directive"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			c, err := redistest.Launch(ctx, tt.cfg)
			require.ErrorContains(t, err, tt.want)
			assert.Nil(t, c)
		})
	}
}

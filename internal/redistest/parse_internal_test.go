package redistest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseMember(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		want       member
	}{
		{
			name: "a primary with a slot leaving and one coming",
			line: "07c3 127.0.0.1:30001@40001,,shard-id=1e0 myself,master - 0 1426238316232 2 connected 0-5460 7000 " +
				"[5461->-292f] [77-<-e7d1]\n",
			want: member{
				id: "07c3", flags: []string{"myself", "master"}, primary: "-", epoch: 2,
				slots: []slotRange{{0, 5460}, {7000, 7000}},
			},
		},
		{
			name: "a replica",
			line: "6ec2 127.0.0.1:30005@40005 slave,fail? 67ed 0 1426238316232 5 connected\n",
			want: member{id: "6ec2", flags: []string{"slave", "fail?"}, primary: "67ed", epoch: 5},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseMember(tt.line)
			require.NoError(t, err)
			assert.Empty(t, cmp.Diff(tt.want, got, cmp.AllowUnexported(member{}, slotRange{})))
		})
	}
	for _, line := range []string{"", "07c3 127.0.0.1:30001", "07c3 a master - 0 0 x connected", "07c3 a master - 0 0 1 connected 1-b"} {
		_, err := parseMember(line)
		assert.Error(t, err, "%q", line)
	}
}

func TestParseCommandStat(t *testing.T) {
	got, err := parseCommandStat("calls=4,usec=1200,usec_per_call=3.00,rejected_calls=2,failed_calls=1")
	require.NoError(t, err)
	assert.Equal(t, CommandStat{Calls: 4, Rejected: 2, Failed: 1, Time: 1200 * time.Microsecond}, got)
	_, err = parseCommandStat("calls=many")
	assert.Error(t, err)
}

func TestSlotEnds(t *testing.T) {
	assert.Equal(t, []int{5461, 10923, 16384}, Config{Primaries: 3}.withDefaults().SlotEnds)
	assert.Equal(t, []int{16384}, Config{Primaries: 1}.withDefaults().SlotEnds)
	assert.Equal(t, []int{4096, 8192, 12288, 16384}, Config{Primaries: 4}.withDefaults().SlotEnds)
}

func TestTakePort(t *testing.T) {
	first, err := takePort()
	require.NoError(t, err)
	defer releasePort(first)
	seen := map[int]bool{first: true, first + busOffset: true}
	for range 50 {
		port, err := takePort()
		require.NoError(t, err)
		defer releasePort(port)
		assert.False(t, seen[port] || seen[port+busOffset], "port %d", port)
		assert.Less(t, port+busOffset, 32768, "the bus port is below the ephemeral ports")
		seen[port], seen[port+busOffset] = true, true
	}
}

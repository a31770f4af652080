package topology

import (
	"strconv"
	"strings"
)

// ShardsSafe reports whether CLUSTER SHARDS may be sent to a server of the given version. Before 7.0.3 it can crash a
// node during the handshake of another (https://github.com/redis/redis/pull/10942). An unknown version is taken for a
// safe one.
func ShardsSafe(version string) bool {
	parts := strings.Split(version, ".")
	for i, least := range []int{7, 0, 3} {
		if i == len(parts) {
			return true
		}
		n, err := strconv.Atoi(parts[i])
		if err != nil || n > least {
			return true
		}
		if n < least {
			return false
		}
	}
	return true
}

package batch

import (
	"crypto/sha1"
	"encoding/hex"
)

// storeScript stores KEYS[i] = ARGV[i+1] with the TTL ARGV[1], in milliseconds, for each i. It returns the number of
// keys when all were stored, else a table with 1 for each key stored and the error's text for each that was not.
//
// Every key is declared and all lie in one slot. The TTL goes to SET as the string it came as: Redis 7.2.0 to 7.2.4
// print a Lua number of 1e8 as "1e8", which SET refuses (https://github.com/redis/redis/issues/13113). It loops, since
// unpack fails at 8,000 elements, and calls with pcall, since a failed script is not rolled back: one bad key must not
// hide what became of the others. The text is constant, so each node caches one script.
const storeScript = `local ttl, failed = ARGV[1], false
for i = 1, #KEYS do
  local reply = redis.pcall('SET', KEYS[i], ARGV[i + 1], 'PX', ttl)
  if reply.err then
    if not failed then
      failed = {}
      for j = 1, #KEYS do failed[j] = 1 end
    end
    failed[i] = reply.err
  end
end
return failed or #KEYS`

var storeScriptSHA = func() string {
	sum := sha1.Sum([]byte(storeScript))
	return hex.EncodeToString(sum[:])
}()

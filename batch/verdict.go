package batch

import "bytes"

// A verdict is what an error reply means for the items of the command that got it. Redirects are not among them: they
// carry data and are parsed by topology.ParseRedirect.
type verdict uint8

const (
	fatal     verdict = iota // fails the items: sending the command again would not help
	degrade                  // TRYAGAIN: not executed; ask key by key
	later                    // not executed; the node will answer by itself: wait
	unwell                   // not executed; the node lives but cannot serve: refresh and wait
	demoted                  // not executed; the node is a replica now: dial it anew, refresh and wait
	elsewhere                // not executed; the map may be out of date: refresh and wait
	noScript                 // NOSCRIPT: not executed; send the script's text
	stranger                 // fails the items, and the connection with them: it is not, or no longer, authenticated
)

// Words that start an error reply. Servers append details to the line (" script: <sha>, on @user_script:1."), so it is
// never compared as a whole.
var verdicts = map[string]verdict{
	"TRYAGAIN":    degrade,
	"BUSY":        later,
	"LOADING":     unwell,
	"MASTERDOWN":  unwell,
	"CLUSTERDOWN": elsewhere,
	"READONLY":    demoted,
	"NOSCRIPT":    noScript,
	"NOAUTH":      stranger,
}

// judge sorts the line of an error reply.
func judge(line []byte) verdict {
	code, rest, _ := bytes.Cut(line, []byte(" "))
	if v, ok := verdicts[string(code)]; ok {
		return v
	}
	// Before Redis 7.0 an error inside a script is wrapped: "ERR Error running script (call to f_…): @user_script:1:
	// -READONLY You can't write against a read only replica." The slot of a script that was half run may have moved:
	// "Script attempted to access a non local key in a cluster node". Replays are safe: a write is idempotent.
	if bytes.Contains(rest, []byte("READONLY You can't write")) {
		return demoted
	}
	if bytes.Contains(rest, []byte("access a non local key")) {
		return elsewhere
	}
	return fatal
}

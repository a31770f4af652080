package main

// summary is the last line of the output. Reads and writes are counted by pair, not by call.
type summary struct {
	Seed    uint64  `json:"seed"`
	Seconds float64 `json:"seconds"` // of load

	Reads  int64 `json:"reads"`  // pairs asked for: hits, misses and failed
	Writes int64 `json:"writes"` // pairs to be stored
	Hits   int64 `json:"hits"`
	Misses int64 `json:"misses"`
	Failed int64 `json:"failed"` // of the reads: nobody could say

	Unstored  int64 `json:"unstored"`  // of the writes: not acknowledged
	Calls     int64 `json:"calls"`     // of Get and Set
	Cancelled int64 `json:"cancelled"` // calls whose context was cancelled on purpose

	Wrong       int64 `json:"wrong"`        // values of another key, or of no write
	FalseMisses int64 `json:"false_misses"` // misses of keys that were there
	Certain     int64 `json:"certain"`      // hits that had to be hits: a miss would have been a false one

	LeakedGoroutines int `json:"leaked_goroutines"`
	LeakedConns      int `json:"leaked_conns"` // lent after the last call, or open after Close

	MaxRecoveryMS     int64 `json:"max_recovery_ms"` // from the cluster answering fully to the client doing so
	MaxStallMS        int64 `json:"max_stall_ms"`    // the longest time that this process was not let run
	TopologyRefreshes int64 `json:"topology_refreshes"`
	Walks             int64 `json:"walks"`               // new layouts: none, as no fault changes the cluster's shape for good
	UnplannedFailover int   `json:"unplanned_failovers"` // seen after a fault that calls for none, as on a starved machine
	BrokenMigrations  int   `json:"broken_migrations"`   // likewise: what was in the slot counts as lost
	FailedQuiet       int64 `json:"failed_quiet"`        // calls that failed though the cluster was whole and they had time

	injected
}

// injected counts the faults.
type injected struct {
	Kill        int `json:"fault_kill"`         // a primary is killed, its replica takes over
	Return      int `json:"fault_return"`       // and it comes back, empty
	Freeze      int `json:"fault_freeze"`       // a primary is stopped
	Thaw        int `json:"fault_thaw"`         // and goes on, in half of the cases after it has been replaced
	Failover    int `json:"fault_failover"`     // a primary and its replica change roles
	Migrate     int `json:"fault_migrate"`      // a tag's slot goes to another primary, and back, key by key
	ScriptFlush int `json:"fault_script_flush"` // every node forgets its scripts
	ClientKill  int `json:"fault_client_kill"`  // every node closes its clients' connections
	Reset       int `json:"fault_reset"`        // connections are reset in the middle of a reply
	Cancel      int `json:"fault_cancel"`       // a crowd of calls is cancelled, each at a random moment
	Restart     int `json:"fault_restart"`      // all nodes are killed and start again, empty
}

// clean reports whether the cache has kept its promises.
func (s *summary) clean() bool {
	return s.Wrong == 0 && s.FalseMisses == 0 && s.LeakedGoroutines == 0 && s.LeakedConns == 0
}

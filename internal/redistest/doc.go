// Package redistest starts real Redis and Valkey servers for tests, the demo and the lab, and breaks them on purpose.
//
//	c := redistest.Start(t, redistest.Config{Primaries: 3, Replicas: 1})
//	c.Node(0).Kill()                  // the primary of the first slots dies
//	err := c.WaitReady(ctx)           // its replica has taken over
//
// [Start] and [StartServer] are for tests, [Launch] and [LaunchServer] for programs. A [Cluster] has [Node] values, each a
// [Server] with a place in the cluster; a [Migration] holds the move of one slot open between any two steps.
//
// Servers listen on 127.0.0.1 only, live in a temporary folder, and keep nothing on disk but their cluster configuration: a
// server that is restarted comes back empty unless a primary fills it again. However the process that started them ends,
// SIGKILL included, they are killed and the folder is removed (see guard.go).
//
// The package waits for other processes, so it polls with short sleeps, always up to the deadline of a context.
package redistest

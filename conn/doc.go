// Package conn speaks RESP over one connection and keeps a pool of connections to one node.
//
// In order of use: [Config] says how to reach nodes; [Dial] makes one [Conn] and does the handshake; [Pool] keeps the
// connections of one address, hands them out and takes them back; its breaker refuses a node that keeps failing.
//
// A conversation on a Conn has three verbs. Append requests to [Conn.Out] and give the slice back with [Conn.Commit];
// send them with [Conn.Flush]; read replies from [Conn.Reader], calling [Conn.Received] after each one. The count of
// replies owed ([Conn.Pending]) is what keeps a reply from ever reaching a stranger: a connection that owes one is
// never handed to anybody.
//
// Nothing here knows about clusters: redirects are ordinary error replies.
package conn

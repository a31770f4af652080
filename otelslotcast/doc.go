// Package otelslotcast tells OpenTelemetry what a slotcast client does, in metrics. It is a module of its own, so that the
// library itself needs no telemetry.
//
//	meters, err := otelslotcast.New(otel.GetMeterProvider())
//	…
//	config.Batch.Trace, config.Batch.Conn.Trace = meters.Batches(), meters.Conns()
//	cache, err := routecache.Open(ctx, config)
//	…
//	watch, err := meters.WatchCache(cache)
//	…
//	defer watch.Unregister()
//
// What is measured as it happens, with the address of the node where there is one (server.address, server.port), the kind of
// call where it is known (slotcast.operation: get or set), and error.type if something failed:
//
//	slotcast.batch.duration    s, histogram    a Get or Set
//	slotcast.batch.items       {key}           distinct keys asked for or stored; slotcast.result: answered or failed
//	slotcast.batch.redirects   {redirect}      groups of keys that followed MOVED or ASK
//	slotcast.node.duration     s, histogram    a batch's exchange with one node
//	slotcast.node.wait         s, histogram    of it, the wait for a connection
//	slotcast.node.first_byte   s, histogram    from having a connection to its first reply
//	slotcast.node.commands     {command}
//	slotcast.node.keys         {key}
//	slotcast.node.io           By              network.io.direction: transmit or receive
//	slotcast.topology.changes  {change}        the map of the cluster has changed
//	slotcast.dial.duration     s, histogram    a dial, with TLS and handshake
//	slotcast.breaker.changes   {change}        slotcast.breaker.state: open or closed
//
// And what is read from the client's counts whenever metrics are collected:
//
//	slotcast.connections           {connection}  of one node; slotcast.connection.state: idle, used, dialing or draining
//	slotcast.connections.waiting   {call}        calls in line for a connection
//	slotcast.breaker.open          1             1 while a node is not asked, else 0
//	slotcast.groups.refused        {group}       slotcast.reply: MOVED, ASK, TRYAGAIN or NOSCRIPT
//	slotcast.connections.lost      {connection}  with a batch on them
//	slotcast.topology.refreshes    {refresh}
//	slotcast.cache.pairs           {pair}        slotcast.state: hit, miss or failed
//	slotcast.cache.corrupt         {pair}        of the misses: values that are not estimates
//	slotcast.cache.old_hits        {pair}        of the hits: under the anchor of a former shape of the cluster
//	slotcast.cache.sets            {pair}        given to Set
//	slotcast.cache.walks           {walk}        since the cluster's shape changed
//
// There are no spans: a batch is a span of the caller's, who has its context. A batch takes some 2 µs more a node.
package otelslotcast

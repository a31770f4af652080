package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"

	"github.com/redis/rueidis"

	"github.com/slotcast/slotcast/routecache"
)

// newRueidis opens rueidis. Its client-side cache is off: the servers would have to track every key for it. RESP2,
// AlwaysPipelining and more connections per node (PipelineMultiplex) were tried, for one batch at a time and for sixteen:
// none made a difference that could be told from noise.
func newRueidis(addrs []string, m *meter) (rueidis.Client, error) {
	return rueidis.NewClient(rueidis.ClientOption{
		InitAddress:      addrs,
		DisableCache:     true,
		ConnWriteTimeout: patience, // for replies too
		DialCtxFn: func(ctx context.Context, addr string, _ *net.Dialer, _ *tls.Config) (net.Conn, error) {
			return m.DialContext(ctx, "tcp", addr)
		},
	})
}

func rueidisContenders(client rueidis.Client, m *meter, get, set *question) []*contender {
	of := func(name string, set, tagged bool, b batchFunc) *contender {
		return &contender{client: "rueidis", name: name, set: set, tagged: tagged, meter: m, worker: plain(b)}
	}
	g := &rueidisClient{client, get}
	s := &rueidisClient{client, set}
	return []*contender{
		of("MGet helper", false, false, g.helper),
		of("DoMulti of GET", false, false, g.get),
		of("DoMulti of MGET", false, true, g.mget),
		of("DoMulti of SET EX", true, false, s.set),
		of("DoMulti of EVALSHA", true, true, s.evalsha),
	}
}

type rueidisClient struct {
	client rueidis.Client
	q      *question
}

func (r *rueidisClient) helper(ctx context.Context, out []routecache.Answer) error {
	keys := r.q.keys()
	values, err := rueidis.MGet(r.client, ctx, keys)
	if err != nil {
		return err
	}
	for i, key := range keys {
		value := values[key]
		if out[i], err = rueidisAnswer(&value); err != nil {
			return err
		}
	}
	return nil
}

func (r *rueidisClient) get(ctx context.Context, out []routecache.Answer) error {
	keys := r.q.keys()
	cmds := make([]rueidis.Completed, len(keys))
	for i, key := range keys {
		cmds[i] = r.client.B().Get().Key(key).Build()
	}
	for i, result := range r.client.DoMulti(ctx, cmds...) {
		value, err := result.ToMessage()
		if err != nil && !rueidis.IsRedisNil(err) {
			return err
		}
		if out[i], err = rueidisAnswer(&value); err != nil {
			return err
		}
	}
	return nil
}

func (r *rueidisClient) mget(ctx context.Context, out []routecache.Answer) error {
	groups := r.q.groups()
	cmds := make([]rueidis.Completed, len(groups))
	for i, group := range groups {
		cmds[i] = r.client.B().Mget().Key(group.keys...).Build()
	}
	for i, result := range r.client.DoMulti(ctx, cmds...) {
		values, err := result.ToArray()
		if err != nil {
			return err
		}
		if len(values) != len(groups[i].keys) {
			return fmt.Errorf("%d values for %d keys", len(values), len(groups[i].keys))
		}
		for j := range values {
			if out[groups[i].index[j]], err = rueidisAnswer(&values[j]); err != nil {
				return err
			}
		}
	}
	return nil
}

func rueidisAnswer(value *rueidis.RedisMessage) (routecache.Answer, error) {
	if value.IsNil() {
		return routecache.Answer{State: routecache.Miss}, nil
	}
	text, err := value.ToString()
	if err != nil {
		return routecache.Answer{}, err
	}
	return parse(text)
}

package redistest

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"
)

// startTimeout bounds the start of a cluster in a test, on a busy machine.
const startTimeout = 60 * time.Second

// Start is Launch for a test: the cluster is closed when t ends, and any trouble ends t. Where no server is installed t is
// skipped, or fails if EnvRequire is set.
func Start(t testing.TB, cfg Config) *Cluster {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	c, err := Launch(ctx, cfg)
	check(t, err)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// StartServer is LaunchServer for a test, in the manner of Start.
func StartServer(t testing.TB, cfg ServerConfig) *Server {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	s, err := LaunchServer(ctx, cfg)
	check(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// LaunchServer starts one server without cluster support and waits until it answers. It runs until Close, or until this
// process ends. ctx bounds the start only.
func LaunchServer(ctx context.Context, cfg ServerConfig) (*Server, error) {
	if _, err := lookPath(cfg.Binary); err != nil {
		return nil, err
	}
	g, err := newGuard()
	if err != nil {
		return nil, err
	}
	s, err := newServer(ctx, g, "server", cfg)
	if err != nil {
		return nil, errors.Join(err, g.close())
	}
	return s, nil
}

// Close kills a server of LaunchServer and removes its folder. The nodes of a cluster are closed by Cluster.Close.
func (s *Server) Close() error {
	s.close()
	return s.guard.close()
}

func check(t testing.TB, err error) {
	t.Helper()
	required := os.Getenv(EnvRequire)
	switch {
	case err == nil:
	case errors.Is(err, ErrNoServer) && (required == "" || required == "0"):
		t.Skip("needs a real server: " + err.Error())
	default:
		t.Fatal(err)
	}
}

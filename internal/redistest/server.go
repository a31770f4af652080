package redistest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/slotcast/slotcast/resp"
)

// host is where every server listens, and nowhere else.
const host = "127.0.0.1"

// doTimeout bounds a conversation whose context has no deadline.
const doTimeout = 5 * time.Second

// ServerConfig describes one server. The zero value is a server without cluster support, password or persistence.
type ServerConfig struct {
	// Binary is the server's executable; default: see Binary. A wrapper script has to exec the server.
	Binary string
	// Password, when set, is required of the default user.
	Password string
	// Config holds further lines of redis.conf, such as "maxmemory 1mb" or "user ann on >secret ~* +get"; they win over the
	// package's own.
	Config []string
}

// Server is one running server process. Its methods may be called at once.
type Server struct {
	// Addr is where it listens, "127.0.0.1:port". It stays the same over a restart.
	Addr string

	name   string
	port   int
	binary string
	dir    string
	client *client
	guard  *guard
	closed sync.Once

	mu     sync.Mutex
	proc   *process // nil while not running
	frozen bool
}

// newServer starts a server that belongs to g, and waits until it answers. name is that of its folder.
func newServer(ctx context.Context, g *guard, name string, cfg ServerConfig) (*Server, error) {
	binary, err := lookPath(cfg.Binary)
	if err != nil {
		return nil, err
	}
	for {
		port, err := takePort()
		if err != nil {
			return nil, err
		}
		addr := net.JoinHostPort(host, strconv.Itoa(port))
		s := &Server{
			Addr: addr, name: name, port: port, binary: binary, guard: g,
			dir:    filepath.Join(g.dir, name),
			client: &client{addr: addr, password: cfg.Password},
		}
		if err = s.configure(cfg); err == nil {
			err = s.spawn(ctx)
		}
		if err == nil {
			return s, nil
		}
		s.close()
		if !errors.Is(err, errPortTaken) || ctx.Err() != nil {
			return nil, err
		}
	}
}

// configure writes the server's configuration into an empty folder.
func (s *Server) configure(cfg ServerConfig) error {
	if err := os.RemoveAll(s.dir); err != nil {
		return err
	}
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		return err
	}
	lines := []string{
		"port " + strconv.Itoa(s.port),
		"bind " + host,
		"protected-mode no",
		"dir " + s.dir,
		`save ""`,
		"appendonly no",
		"enable-debug-command local",
		// A replica that connects is served at once instead of waiting five seconds for company.
		"repl-diskless-sync-delay 0",
	}
	if cfg.Password != "" {
		lines = append(lines, "requirepass "+cfg.Password, "masterauth "+cfg.Password)
	}
	lines = append(lines, cfg.Config...)
	return os.WriteFile(s.confPath(), []byte(strings.Join(lines, "\n")+"\n"), 0o600)
}

func (s *Server) confPath() string { return filepath.Join(s.dir, "redis.conf") }
func (s *Server) logPath() string  { return filepath.Join(s.dir, "server.log") }

// PID returns the process id, or 0 when the server is not running.
func (s *Server) PID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.proc == nil {
		return 0
	}
	return s.proc.cmd.Process.Pid
}

// Live reports whether the server is running and not frozen, as far as this package has stopped or started it.
func (s *Server) Live() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.proc != nil && !s.proc.exited() && !s.frozen
}

// Do sends one command and returns its reply. An error reply is returned as an error too, a *resp.Error. It waits at most
// five seconds, so that a frozen server does not hold a test up.
func (s *Server) Do(args ...string) (resp.Value, error) {
	return s.client.do(context.Background(), args...)
}

// DoContext is Do within the limits of ctx.
func (s *Server) DoContext(ctx context.Context, args ...string) (resp.Value, error) {
	return s.client.do(ctx, args...)
}

// Pipeline sends the commands in one write and returns a value for each. Error replies are among the values.
func (s *Server) Pipeline(ctx context.Context, commands ...[]string) ([]resp.Value, error) {
	return s.client.pipeline(ctx, commands...)
}

// close ends the server for good and forgets its port.
func (s *Server) close() {
	s.closed.Do(func() {
		s.Kill()
		s.client.close()
		releasePort(s.port)
	})
}

// logTail returns the last lines of the server's log, for error messages.
func (s *Server) logTail() string {
	text, err := os.ReadFile(s.logPath())
	if err != nil {
		return fmt.Sprintf("(no log: %v)", err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-12):], "\n")
}

package redistest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Info returns the fields of one section of INFO, such as "replication".
func (s *Server) Info(ctx context.Context, section string) (map[string]string, error) {
	return s.fields(ctx, "INFO", section)
}

// fields asks for a bulk string of name:value lines.
func (s *Server) fields(ctx context.Context, args ...string) (map[string]string, error) {
	reply, err := s.client.do(ctx, args...)
	if err != nil {
		return nil, err
	}
	fields := map[string]string{}
	for line := range strings.Lines(reply.Text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			fields[name] = value
		}
	}
	return fields, nil
}

// Version returns what the server is ("redis" or "valkey") and its version, as in "valkey", "8.0.1".
func (s *Server) Version(ctx context.Context) (name, version string, err error) {
	info, err := s.Info(ctx, "server")
	if err != nil {
		return "", "", err
	}
	if version, ok := info["valkey_version"]; ok {
		return "valkey", version, nil
	}
	return "redis", info["redis_version"], nil
}

// CommandStat is what a server has counted of one command since it started or its statistics were reset.
type CommandStat struct {
	// Calls counts executions, those that failed included, those that were rejected not.
	Calls int64
	// Rejected counts calls refused before execution, such as by MOVED, Failed those that returned an error.
	Rejected, Failed int64
	// Time is the CPU time spent.
	Time time.Duration
}

// CommandStats returns INFO commandstats by command name in lower case, subcommands as in "cluster|shards". What this
// package itself sends, INFO for one, is counted too.
func (s *Server) CommandStats() (map[string]CommandStat, error) {
	fields, err := s.Info(context.Background(), "commandstats")
	if err != nil {
		return nil, err
	}
	stats := make(map[string]CommandStat, len(fields))
	for name, text := range fields {
		name, ok := strings.CutPrefix(name, "cmdstat_")
		if !ok {
			continue
		}
		stat, err := parseCommandStat(text)
		if err != nil {
			return nil, fmt.Errorf("redistest: %s: commandstats of %s: %w", s.Addr, name, err)
		}
		stats[name] = stat
	}
	return stats, nil
}

// parseCommandStat reads e.g. "calls=4,usec=12,usec_per_call=3.00,rejected_calls=0,failed_calls=1".
func parseCommandStat(text string) (CommandStat, error) {
	var stat CommandStat
	for field := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(field, "=")
		var dst *int64
		switch name {
		case "calls":
			dst = &stat.Calls
		case "rejected_calls":
			dst = &stat.Rejected
		case "failed_calls":
			dst = &stat.Failed
		case "usec":
			dst = (*int64)(&stat.Time)
		default:
			continue
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return CommandStat{}, err
		}
		*dst = n
	}
	stat.Time *= time.Microsecond
	return stat, nil
}

// ResetStats sets the command statistics to zero.
func (s *Server) ResetStats() error {
	_, err := s.Do("CONFIG", "RESETSTAT")
	return err
}

// UsedCPU returns the CPU time, user and system, that the process has used.
func (s *Server) UsedCPU() (time.Duration, error) {
	info, err := s.Info(context.Background(), "cpu")
	if err != nil {
		return 0, err
	}
	var total time.Duration
	for _, name := range []string{"used_cpu_user", "used_cpu_sys"} {
		seconds, err := strconv.ParseFloat(info[name], 64)
		if err != nil {
			return 0, fmt.Errorf("redistest: %s: %s: %w", s.Addr, name, err)
		}
		total += time.Duration(seconds * float64(time.Second))
	}
	return total, nil
}

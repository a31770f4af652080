package redistest

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// poll calls ready until it returns nil, or an error made by final, or ctx ends. It then returns the last error with
// ctx's.
func poll(ctx context.Context, ready func() error) error {
	for {
		err := ready()
		var f *finalError
		if err == nil {
			return nil
		} else if errors.As(err, &f) {
			return f.error
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", context.Cause(ctx), err)
		case <-time.After(pollInterval):
		}
	}
}

type finalError struct{ error }

// final marks an error that no waiting cures.
func final(err error) error {
	if err == nil {
		return nil
	}
	return &finalError{err}
}

package otelslotcast_test

import (
	"testing"

	"github.com/slotcast/slotcast/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

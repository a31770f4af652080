package faults_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/slotcast/slotcast/internal/faults"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// count is how many faults each chapter of the list has.
var count = map[string]int{"A": 23, "B": 9, "C": 30, "D": 22, "E": 28, "F": 14, "G": 13, "H": 11}

func TestEveryFaultHasATest(t *testing.T) {
	total := 0
	for chapter, n := range count {
		for i := 1; i <= n; i++ {
			total++
			id := fmt.Sprint(chapter, i)
			files, reason := faults.Tests[id], faults.LeftOut[id]
			assert.True(t, (len(files) > 0) != (reason != ""), "%s has tests, or a reason why not", id)
			for _, file := range files {
				text, err := os.ReadFile(filepath.Join("..", "..", file))
				require.NoError(t, err)
				named := regexp.MustCompile(`"[^"\n]*\b` + id + `\b[^"\n]*"`).Match(text)
				assert.True(t, named, "a test named %s in %s", id, file)
			}
		}
	}
	assert.Equal(t, 150, total)
	assert.Len(t, faults.Tests, 150-len(faults.LeftOut))
}

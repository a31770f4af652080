package routecache

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestReplies(t *testing.T) {
	stale := Answer{Estimate: Estimate{Seconds: 1, Metres: 2}, State: Hit}
	tests := []struct {
		name                  string
		value                 []byte
		want                  Answer
		hits, misses, corrupt int
	}{
		{"tenths", []byte("412.3,5120.7"), Answer{Estimate{412.3, 5120.7}, Hit}, 1, 0, 0},
		{"whole numbers", []byte("412,5120"), Answer{Estimate{412, 5120}, Hit}, 1, 0, 0},
		{"another way to write", []byte("0.125,98765.4321"), Answer{Estimate{0.125, 98765.4321}, Hit}, 1, 0, 0},
		{"nothing stored", nil, Answer{State: Miss}, 0, 1, 0},
		{"no estimate", []byte("412.3;5120.7"), Answer{State: Miss}, 0, 1, 1},
		{"half an estimate", []byte("412.3,"), Answer{State: Miss}, 0, 1, 1},
		{"empty", []byte{}, Answer{State: Miss}, 0, 1, 1},
	}
	all := get{out: make([]Answer, len(tests))}
	var items []int32
	var values [][]byte
	var hits, misses, corrupt int
	for i, tt := range tests {
		one := get{out: []Answer{{}, stale}}
		one.first = []int32{1}
		one.Reply(0, tt.value)
		assert.Equal(t, []Answer{{}, tt.want}, one.out, tt.name)
		assert.Equal(t, []int{tt.hits, tt.misses, tt.corrupt}, []int{one.hits, one.misses, one.corrupt}, tt.name)

		all.first = append(all.first, int32(len(tests)-1-i))
		items, values = append(items, int32(i)), append(values, tt.value)
		hits, misses, corrupt = hits+tt.hits, misses+tt.misses, corrupt+tt.corrupt
	}
	all.Replies(items, values)
	for i, tt := range tests {
		assert.Equal(t, tt.want, all.out[all.first[i]], tt.name)
	}
	assert.Equal(t, []int{hits, misses, corrupt}, []int{all.hits, all.misses, all.corrupt})
}

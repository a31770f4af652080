package resp

import (
	"errors"
	"fmt"
	"iter"
)

// Value is a reply as a tree, for replies whose shape is not known beforehand. It holds copies only.
type Value struct {
	Kind  Kind    // never KindBlobError, which is KindError here, nor KindAttribute
	Text  string  // of strings, errors and big numbers; of a verbatim string without its format
	Int   int64   // of integers; of booleans 0 or 1
	Float float64 // of doubles
	Elems []Value // of aggregates; a map has key, value, key, value
}

var errNoPairs = errors.New("resp: neither a map nor a flat array of pairs")

// IsNull reports whether v is a null of any form.
func (v Value) IsNull() bool { return v.Kind == KindNull }

// AsInt returns the integer that v is, also when it is written as a string or big number.
func (v Value) AsInt() (int64, error) {
	switch v.Kind {
	case KindInt:
		return v.Int, nil
	case KindBulk, KindSimple, KindVerbatim, KindBigNumber:
		if i, ok := parseInt([]byte(v.Text)); ok {
			return i, nil
		}
		return 0, fmt.Errorf("resp: %q is not a 64-bit integer", v.Text)
	}
	return 0, fmt.Errorf("resp: %s is not an integer", v.Kind)
}

// AsText returns the text of v if it is a string of any sort.
func (v Value) AsText() (text string, ok bool) {
	switch v.Kind {
	case KindBulk, KindSimple, KindVerbatim:
		return v.Text, true
	}
	return "", false
}

// Err returns the error reply that v is, an [*Error], or nil.
func (v Value) Err() error {
	if v.Kind == KindError {
		return NewError(v.Text)
	}
	return nil
}

// Pairs returns the keys and values of a map, or of a flat array of even length, as RESP2 has them.
func (v Value) Pairs() (iter.Seq2[Value, Value], error) {
	if v.Kind != KindMap && v.Kind != KindArray || len(v.Elems)%2 == 1 {
		return nil, errNoPairs
	}
	return func(yield func(key, value Value) bool) {
		for i := 0; i < len(v.Elems); i += 2 {
			if !yield(v.Elems[i], v.Elems[i+1]) {
				return
			}
		}
	}, nil
}

// Get returns the value of a key of a map or of a flat array of pairs. Of a key that is there twice the last counts.
func (v Value) Get(key string) (value Value, ok bool) {
	pairs, err := v.Pairs()
	if err != nil {
		return Value{}, false
	}
	for k, candidate := range pairs {
		if text, isText := k.AsText(); isText && text == key {
			value, ok = candidate, true
		}
	}
	return value, ok
}

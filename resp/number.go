package resp

import (
	"math"
	"strconv"
)

// parseInt parses an optional sign and decimal digits that fit an int64.
func parseInt(text []byte) (v int64, ok bool) {
	digits := unsigned(text)
	negative := len(digits) < len(text) && text[0] == '-'
	if !isDigits(digits) {
		return 0, false
	}
	for _, c := range digits {
		d := int64(c - '0')
		if v < (math.MinInt64+d)/10 {
			return 0, false
		}
		v = v*10 - d // counted downwards, where the longer half of the range is
	}
	if negative {
		return v, true
	}
	return -v, v != math.MinInt64
}

// isInteger reports whether text is an optional sign and decimal digits.
func isInteger(text []byte) bool { return isDigits(unsigned(text)) }

// parseDouble parses what package resp's documentation says a double is.
func parseDouble(text []byte) (v float64, ok bool) {
	word := unsigned(text)
	switch {
	case isWord(word, "inf"):
		if text[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	case isNaN(word):
		return math.NaN(), true
	case !isDecimal(word):
		return 0, false
	}
	v, err := strconv.ParseFloat(string(text), 64)
	return v, err == nil
}

// isDecimal reports whether text has only what decimals are made of. What ParseFloat takes besides has letters or
// underscores: hexadecimals, 1_000, infinity.
func isDecimal(text []byte) bool {
	for _, c := range text {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c|0x20 != 'e' {
			return false
		}
	}
	return true
}

// isNaN accepts the spellings of C libraries, which servers before 7.2 passed on: nan, NAN, nan(chars).
// https://github.com/redis/redis-specifications/pull/10
func isNaN(text []byte) bool {
	if len(text) >= len("nan()") && text[3] == '(' && text[len(text)-1] == ')' {
		text = text[:3]
	}
	return isWord(text, "nan")
}

// isWord reports whether text is the lower-case word in either case of letters.
func isWord(text []byte, word string) bool {
	if len(text) != len(word) {
		return false
	}
	for i, c := range text {
		if c|0x20 != word[i] {
			return false
		}
	}
	return true
}

func parseBool(text []byte) (v, ok bool) {
	return string(text) == "t", string(text) == "t" || string(text) == "f"
}

// unsigned returns text without its sign.
func unsigned(text []byte) []byte {
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		return text[1:]
	}
	return text
}

func isDigits(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(text) > 0
}

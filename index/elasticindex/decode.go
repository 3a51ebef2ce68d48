package elasticindex

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"kith/index"
)

// decodeHits reads the hits of a search answer. It handles only this shape, in one pass: decoding a page with a
// general decoder takes longer than Elasticsearch's search.
func decodeHits(data []byte, sizeHint int) (hits []index.Hit, err error) {
	hits = make([]index.Hit, 0, min(sizeHint, 1000))
	err = eachHit(data, func(h index.Hit, _ int) { hits = append(hits, h) })
	return hits, err
}

// eachHit calls take for each hit of a search answer. score is 0 unless hits are sorted by score first.
func eachHit(data []byte, take func(h index.Hit, score int)) error {
	s := scanner{data: data}
	s.object(func(key []byte) {
		switch string(key) {
		case "timed_out":
			if s.peek() == 't' {
				s.fail("the search ended before it was complete")
			}
			s.skip()
		case "hits":
			s.object(func(key []byte) {
				if string(key) != "hits" {
					s.skip()
					return
				}
				s.array(func() { take(s.hit()) })
			})
		default:
			s.skip()
		}
	})
	return s.err
}

// scanner reads JSON that is assumed to be well-formed, because a server sent it with success. It checks only enough
// to stay within the data.
type scanner struct {
	data []byte
	pos  int
	err  error
}

// hit reads a hit, sorted by a number and the id, or by score, a number and the id.
func (s *scanner) hit() (h index.Hit, score int) {
	s.object(func(key []byte) {
		switch string(key) {
		case "_source":
			s.object(func([]byte) { h.Record = s.record() })
		case "sort":
			var values [3]int64
			n := 0
			s.array(func() {
				if n < len(values) {
					values[n] = s.int()
				}
				n++
			})
			if n == len(values) {
				score, values[0], values[1] = int(values[0]), values[1], values[2]
			}
			h.Sort, h.ID = values[0], values[1]
		default:
			s.skip()
		}
	})
	return h, score
}

// record reads the only member of a stored source: a string with JSON. It copies the string, because otherwise a
// client that reads slowly would keep the whole answer in memory.
func (s *scanner) record() json.RawMessage {
	if s.peek() != '"' {
		s.skip()
		return nil
	}
	record, err := jsontext.AppendUnquote(nil, s.raw())
	if err != nil {
		s.fail(err.Error())
		return nil
	}
	return record
}

func (s *scanner) fail(why string) {
	if s.err == nil {
		s.err = fmt.Errorf("at byte %d: %s", s.pos, why)
	}
	s.pos = len(s.data)
}

// peek returns the next byte that is not white space, or 0 at the end.
func (s *scanner) peek() byte {
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; c {
		case ' ', '\n', '\r', '\t':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// next consumes the byte c, or fails.
func (s *scanner) next(c byte) bool {
	if s.peek() != c {
		s.fail("expected " + string(rune(c)))
		return false
	}
	s.pos++
	return true
}

// object calls member for each key of an object; member must consume the value.
func (s *scanner) object(member func(key []byte)) {
	s.members('{', '}', func() {
		key := s.raw()
		if len(key) < 2 || !s.next(':') {
			s.fail("expected a key")
			return
		}
		member(key[1 : len(key)-1])
	})
}

// array calls element for each element of an array; element must consume it.
func (s *scanner) array(element func()) { s.members('[', ']', element) }

func (s *scanner) members(open, shut byte, member func()) {
	if !s.next(open) {
		return
	}
	if s.peek() == shut {
		s.pos++
		return
	}
	for s.err == nil {
		member()
		if s.peek() == shut {
			s.pos++
			return
		}
		if !s.next(',') {
			return
		}
	}
}

// int reads a whole number; scores have a fraction of 0.
func (s *scanner) int() int64 {
	v, err := strconv.ParseInt(strings.TrimSuffix(string(s.raw()), ".0"), 10, 64)
	if err != nil {
		s.fail("expected an integer: " + err.Error())
	}
	return v
}

func (s *scanner) skip() { s.raw() }

// raw consumes one value of any kind.
func (s *scanner) raw() []byte {
	s.peek()
	start := s.pos
	for depth := 0; s.pos < len(s.data); {
		switch c := s.data[s.pos]; c {
		case '"':
			s.text()
		case '{', '[':
			depth++
			s.pos++
		case '}', ']', ',', ':':
			if depth == 0 {
				return s.data[start:s.pos]
			}
			if c == '}' || c == ']' {
				depth--
			}
			s.pos++
		default:
			s.pos++
			continue
		}
		if depth == 0 {
			return s.data[start:s.pos]
		}
	}
	if s.err == nil {
		s.err = errors.New("the response is cut short")
	}
	return s.data[start:s.pos]
}

// text consumes a string with its quotes.
func (s *scanner) text() {
	for s.pos++; s.pos < len(s.data); s.pos++ {
		switch s.data[s.pos] {
		case '\\':
			s.pos++
		case '"':
			s.pos++
			return
		}
	}
	s.pos = len(s.data)
	s.fail("the response is cut short")
}

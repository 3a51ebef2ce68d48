package pgindex

import (
	"encoding/binary"
	"math/bits"
)

// hashTerm is the 64-bit hash of a term. It equals hashtextextended(term, 0) of Postgres, so hand-written statements
// can look up terms too. Postgres can never change that function, because it partitions tables by it.
func hashTerm[T string | []byte](term T) int64 {
	const start = 0x9e3779b9 + 3923095
	a := start + uint32(len(term))
	b, c := a, a
	rest := []byte(term)
	for ; len(rest) >= 12; rest = rest[12:] {
		a += binary.LittleEndian.Uint32(rest)
		b += binary.LittleEndian.Uint32(rest[4:])
		c += binary.LittleEndian.Uint32(rest[8:])
		a, b, c = mix(a, b, c)
	}
	var tail [12]byte
	copy(tail[:8], rest)
	if len(rest) > 8 {
		copy(tail[9:], rest[8:]) // the lowest byte is not used
	}
	a += binary.LittleEndian.Uint32(tail[:])
	b += binary.LittleEndian.Uint32(tail[4:])
	c += binary.LittleEndian.Uint32(tail[8:])
	b, c = finish(a, b, c)
	return int64(uint64(b)<<32 | uint64(c))
}

// mix and finish are from Bob Jenkins' lookup3, in the public domain.
func mix(a, b, c uint32) (x, y, z uint32) {
	a -= c
	a ^= bits.RotateLeft32(c, 4)
	c += b
	b -= a
	b ^= bits.RotateLeft32(a, 6)
	a += c
	c -= b
	c ^= bits.RotateLeft32(b, 8)
	b += a
	a -= c
	a ^= bits.RotateLeft32(c, 16)
	c += b
	b -= a
	b ^= bits.RotateLeft32(a, 19)
	a += c
	c -= b
	c ^= bits.RotateLeft32(b, 4)
	b += a
	return a, b, c
}

func finish(a, b, c uint32) (y, z uint32) {
	c ^= b
	c -= bits.RotateLeft32(b, 14)
	a ^= c
	a -= bits.RotateLeft32(c, 11)
	b ^= a
	b -= bits.RotateLeft32(a, 25)
	c ^= b
	c -= bits.RotateLeft32(b, 16)
	a ^= c
	a -= bits.RotateLeft32(c, 4)
	b ^= a
	b -= bits.RotateLeft32(a, 14)
	c ^= b
	c -= bits.RotateLeft32(b, 24)
	return b, c
}

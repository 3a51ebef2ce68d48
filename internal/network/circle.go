package network

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
)

// Class is how close a person is to a caller: degree 1 by the label of the relationship, then degree 2 by the label of
// the relationship to the strongest introducer. Lower is closer.
type Class int

// labels is the number of labels, Unlabelled included.
const labels = 6

// Classes is the number of classes.
const Classes = 2 * labels

// classify returns the class for a degree and the score of a relationship.
func classify(degree int, score float64) Class {
	n := slices.IndexFunc(Labels(), func(l Label) bool { return score >= l.Least() })
	if n < 0 {
		n = labels - 1
	}
	return Class((degree-1)*labels + n)
}

// Degree is 1 or 2.
func (c Class) Degree() int { return int(c)/labels + 1 }

// Circle is the people within a caller's reach, by class. It is immutable.
type Circle struct {
	// ID identifies the circle among those of its caller; "" is the empty circle.
	ID string

	sets [Classes]*roaring64.Bitmap
	all  *roaring64.Bitmap
	// strengths are all people of the circle by strength; empty if the order is by class.
	strengths []Strength
	// sharers are the users whose shares it was made with.
	sharers []Sharer
	user    int64
}

// Sharer is another user of the app who shares with a user who knows them.
type Sharer struct {
	User int64
	// Introducer is the sharer as a person.
	Introducer int64
	Team       bool
	// Version changes whenever the share changes, Withdrawn whenever any part of it ends.
	Version, Withdrawn int64
}

// emptySets returns an empty set for each class.
func emptySets() (sets [Classes]*roaring64.Bitmap) {
	for i := range sets {
		sets[i] = roaring64.New()
	}
	return sets
}

// newCircle makes a circle of disjoint sets and takes ownership of them. strengths is nil if the order is by class.
func newCircle(user int64, sets [Classes]*roaring64.Bitmap, strengths []Strength, sharers []Sharer) (*Circle, error) {
	c := &Circle{sets: sets, all: roaring64.New(), strengths: strengths, sharers: sharers, user: user}
	for _, set := range sets {
		set.RunOptimize()
		c.all.Or(set)
	}
	if c.all.IsEmpty() {
		return c, nil
	}
	data, err := c.encode()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	c.ID = base64.RawURLEncoding.EncodeToString(sum[:16])
	return c, nil
}

// Size is the number of people in the circle.
func (c *Circle) Size() int { return int(c.all.GetCardinality()) }

// Count is the number of people in a class.
func (c *Circle) Count(class Class) int {
	return int(c.sets[class].GetCardinality())
}

// Contains reports whether a person is in the circle.
func (c *Circle) Contains(person int64) bool { return c.all.Contains(uint64(person)) }

// Is reports whether a person is in a class.
func (c *Circle) Is(class Class, person int64) bool {
	return c.sets[class].Contains(uint64(person))
}

// Of returns a person's class; ok is false for people outside of the circle.
func (c *Circle) Of(person int64) (class Class, ok bool) {
	if !c.Contains(person) {
		return 0, false
	}
	for i := range c.sets {
		if c.Is(Class(i), person) {
			return Class(i), true
		}
	}
	return 0, false
}

// People returns all people, ordered by id.
func (c *Circle) People() []int64 { return people(c.all) }

// PeopleOf returns the people of a class, ordered by id.
func (c *Circle) PeopleOf(class Class) []int64 { return people(c.sets[class]) }

// Nearest returns up to n people, those of the nearer classes first, each class ordered by id. Circles ordered by
// strength have no classes: theirs are all ordered by id.
func (c *Circle) Nearest(n int) []int64 {
	var out []int64
	for _, set := range c.sets {
		out = appendPeople(out, set, n-len(out))
	}
	if len(out) == 0 {
		return appendPeople(out, c.all, n)
	}
	return out
}

// Sample returns about n people, evenly spread over the ids; all if there are no more.
func (c *Circle) Sample(n int) []int64 {
	size := c.Size()
	if size <= n {
		return c.People()
	}
	out := make([]int64, 0, n)
	it, rank := c.all.Iterator(), 0
	for i := range n {
		for ; rank < i*size/n; rank++ {
			it.Next()
		}
		out = append(out, int64(it.Next()))
		rank++
	}
	return out
}

func people(set *roaring64.Bitmap) []int64 {
	n := int(set.GetCardinality())
	return appendPeople(make([]int64, 0, n), set, n)
}

// appendPeople appends the first n people of a set.
func appendPeople(out []int64, set *roaring64.Bitmap, n int) []int64 {
	for it := set.Iterator(); n > 0 && it.HasNext(); n-- {
		out = append(out, int64(it.Next()))
	}
	return out
}

// bytes estimates the memory used by the circle.
func (c *Circle) bytes() int {
	n := c.all.GetSizeInBytes()
	for _, set := range c.sets {
		n += set.GetSizeInBytes()
	}
	return int(n) + strengthBytes(c.strengths) + sharerBytes*len(c.sharers) + 1000
}

// Versions of the stored form: a circle ordered by strength ends with the strengths.
const (
	encodingByClass    = 1
	encodingByStrength = 2
)

// encode returns the stored form: version, user, sharers, the length-prefixed sets, and the strengths, if any.
func (c *Circle) encode() ([]byte, error) {
	version := byte(encodingByClass)
	if len(c.strengths) > 0 {
		version = encodingByStrength
	}
	b := binary.AppendVarint([]byte{version}, c.user)
	b = binary.AppendUvarint(b, uint64(len(c.sharers)))
	for _, s := range c.sharers {
		team := int64(0)
		if s.Team {
			team = 1
		}
		for _, v := range []int64{s.User, s.Introducer, team, s.Withdrawn} {
			b = binary.AppendVarint(b, v)
		}
	}
	for _, set := range c.sets {
		data, err := set.ToBytes()
		if err != nil {
			return nil, fmt.Errorf("encode a circle: %w", err)
		}
		b = append(binary.AppendUvarint(b, uint64(len(data))), data...)
	}
	return appendStrengths(b, c.strengths), nil
}

var errCircle = errors.New("a stored circle cannot be read")

// decodeCircle decodes the form written by encode.
func decodeCircle(id string, data []byte) (*Circle, error) {
	if len(data) == 0 || data[0] != encodingByClass && data[0] != encodingByStrength {
		return nil, errCircle
	}
	r := reader{data: data[1:]}
	c := &Circle{ID: id, all: roaring64.New(), user: r.int()}
	for n := r.uint(); n > 0 && !r.bad; n-- {
		s := Sharer{User: r.int(), Introducer: r.int(), Team: r.int() == 1, Withdrawn: r.int()}
		c.sharers = append(c.sharers, s)
	}
	for i := range c.sets {
		c.sets[i] = roaring64.New()
		part := r.bytes(r.uint())
		if r.bad {
			return nil, errCircle
		}
		if err := c.sets[i].UnmarshalBinary(part); err != nil {
			return nil, fmt.Errorf("%w: %w", errCircle, err)
		}
		c.all.Or(c.sets[i])
	}
	if data[0] == encodingByStrength {
		c.strengths = r.strengths()
	}
	if r.bad {
		return nil, errCircle
	}
	return c, nil
}

// reader decodes numbers and bytes from data; bad is true after an error.
type reader struct {
	data []byte
	bad  bool
}

func (r *reader) int() int64 {
	v, n := binary.Varint(r.data)
	r.skip(n)
	return v
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.data)
	r.skip(n)
	return v
}

func (r *reader) skip(n int) {
	if n <= 0 {
		r.bad, n = true, 0
	}
	r.data = r.data[n:]
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.data)) {
		r.bad = true
		return nil
	}
	out := r.data[:n]
	r.data = r.data[n:]
	return out
}

package tagger

import (
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"
)

//go:embed data/model.bin
var weights []byte

// attribute is a property of marks of which the model chooses a value.
type attribute struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
	// Kinds has the codes of the kinds that have the property.
	Kinds string `json:"kinds"`
	// at is the position of its first value in the outputs of a word.
	at int
}

// kind is a kind of mark.
type kind struct {
	// begin and inside are the tags of its first and further words.
	begin, inside int
	attributes    []attribute
}

// kinds returns the kinds by their codes.
func (m *model) kinds() map[string]kind {
	out := map[string]kind{}
	for tag, name := range m.Tags {
		if name[0] != 'B' {
			continue
		}
		k := kind{begin: tag, inside: slices.Index(m.Tags, "I"+name[1:])}
		at := len(m.Tags)
		for _, a := range m.Attributes {
			a.at = at
			at += len(a.Values)
			if strings.Contains(a.Kinds, name[1:]) {
				k.attributes = append(k.attributes, a)
			}
		}
		out[name[1:]] = k
	}
	return out
}

// model has the weights. Scripts/reader/export.py writes them in this order.
type model struct {
	Rank       int         `json:"rank"`
	Pieces     int         `json:"pieces"`
	Layers     int         `json:"layers"`
	Hidden     int         `json:"hidden"`
	Positions  int         `json:"positions"`
	Shapes     int         `json:"shapes"`
	Features   int         `json:"features"`
	Tags       []string    `json:"tags"`
	Attributes []attribute `json:"attributes"`

	table         table
	widen         linear
	position      table
	shape, known  table
	norm          layerNorm
	layers        []layer
	hidden        linear
	scores        linear
	follow, first []float32
}

// The dimensions of the encoder.
const (
	width  = 384
	heads  = 12
	inside = 1536
)

// layer is a layer of the encoder.
type layer struct {
	qkv, out, up, down linear
	norm1, norm2       layerNorm
}

// outputs is the number of scores of a word: of its tags, and of all values of attributes.
func (m *model) outputs() int {
	n := len(m.Tags)
	for _, a := range m.Attributes {
		n += len(a.Values)
	}
	return n
}

// newModel reads the file. Matrices stay where they are in it.
func newModel(file []byte) *model {
	r := &reader{rest: file}
	m := &model{}
	if err := json.Unmarshal(r.take(int(binary.LittleEndian.Uint32(r.take(4)))), m); err != nil {
		panic(err) // the file is part of the binary
	}
	m.table = r.table(m.Pieces, m.Rank)
	m.widen = r.linear(width, m.Rank)
	m.position = r.table(m.Positions, width)
	m.shape = r.table(m.Shapes, width)
	m.known = r.table(m.Features, width)
	m.norm = r.norm()
	for range m.Layers {
		m.layers = append(m.layers, layer{
			qkv: r.linear(3*width, width), out: r.linear(width, width),
			up: r.linear(inside, width), down: r.linear(width, inside),
			norm1: r.norm(), norm2: r.norm(),
		})
	}
	m.hidden = r.linear(m.Hidden, width)
	m.scores = r.linear(m.outputs(), m.Hidden)
	m.follow = r.floats(len(m.Tags) * len(m.Tags))
	m.first = r.floats(len(m.Tags))
	if len(r.rest) > 0 {
		panic("tagger: the file of the model is longer than its header says")
	}
	return m
}

// reader reads the tensors of a file.
type reader struct{ rest []byte }

func (r *reader) take(n int) []byte {
	out := r.rest[:n:n]
	r.rest = r.rest[n:]
	return out
}

func (r *reader) floats(n int) []float32 {
	bytes := r.take(4 * n)
	out := make([]float32, len(bytes)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(bytes[4*i:]))
	}
	return out
}

func (r *reader) norm() layerNorm { return layerNorm{weight: r.floats(width), bias: r.floats(width)} }

func (r *reader) table(rows, columns int) table {
	return table{columns: columns, scale: r.floats(rows), rows: r.take(rows * columns)}
}

func (r *reader) linear(out, in int) linear {
	l := linear{in: in, out: out, scale: r.floats(out), bias: r.floats(out)}
	l.panels = r.take((out + lanes - 1) / lanes * lanes * in)
	return l
}

// table has rows of signed bytes with a scale for each.
type table struct {
	columns int
	scale   []float32
	rows    []byte
}

// add adds a row to a vector.
func (t table) add(to []float32, row int) {
	scale := t.scale[row]
	for i, b := range t.rows[row*t.columns : (row+1)*t.columns] {
		to[i] += scale * float32(int8(b))
	}
}

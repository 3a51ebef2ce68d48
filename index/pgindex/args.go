package pgindex

import (
	"encoding/binary"
	"strconv"

	"github.com/jackc/pgx/v5/pgtype"
)

// args are the bound parameters of a statement, in Postgres' binary form.
type args struct {
	values  [][]byte
	oids    []uint32
	formats []int16
	// hashed are the terms whose hashes are bound as parameters, for [Trace].
	hashed []hashedTerms
	// literal writes values into the statement instead of parameters.
	literal bool
}

// hashedTerms are the terms of one parameter, by its index.
type hashedTerms struct {
	parameter int
	terms     []string
}

const binaryFormat = 1

// add binds a parameter and returns its placeholder.
func (a *args) add(oid uint32, value []byte) string {
	if a.literal {
		return constant(oid, value)
	}
	a.values, a.oids, a.formats = append(a.values, value), append(a.oids, oid), append(a.formats, binaryFormat)
	return "$" + strconv.Itoa(len(a.values))
}

func (a *args) text(v string) string { return a.add(pgtype.TextOID, []byte(v)) }

func (a *args) number(v int64) string {
	return a.add(pgtype.Int8OID, binary.BigEndian.AppendUint64(nil, uint64(v)))
}

func (a *args) texts(vs []string) string {
	size := 0
	for _, v := range vs {
		size += len(v) + 4
	}
	buf := arrayHeader(pgtype.TextOID, len(vs), size)
	for _, v := range vs {
		buf = binary.BigEndian.AppendUint32(buf, uint32(len(v)))
		buf = append(buf, v...)
	}
	return a.add(pgtype.TextArrayOID, buf)
}

func (a *args) numbers(vs []int64) string {
	buf := arrayHeader(pgtype.Int8OID, len(vs), 12*len(vs))
	for _, v := range vs {
		buf = binary.BigEndian.AppendUint32(buf, 8)
		buf = binary.BigEndian.AppendUint64(buf, uint64(v))
	}
	return a.add(pgtype.Int8ArrayOID, buf)
}

// arrayHeader starts an array of n elements without nulls: the number of dimensions, a flag, the element type, and
// the length and lower bound of the one dimension. size is the space for the elements, in bytes.
func arrayHeader(element uint32, n, size int) []byte {
	header := [...]uint32{1, 0, element, uint32(n), 1}
	words := header[:]
	if n == 0 {
		header[0], words = 0, header[:3]
	}
	buf := make([]byte, 0, 4*len(header)+size)
	for _, word := range words {
		buf = binary.BigEndian.AppendUint32(buf, word)
	}
	return buf
}

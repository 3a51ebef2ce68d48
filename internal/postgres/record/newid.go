package record

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres/conn"
	"kith/internal/record"
)

// New ids are firstID and idBits random bits: load files have lower ids. The ids of one call differ in blockBits only,
// because indexes write fewer pages for ids near one another, and the bitmaps of package network are much smaller and
// faster to fill. More bits would make these slow.
const (
	idBits    = 46
	firstID   = 1 << idBits
	blockBits = 20
)

// NewIDs implements [record.Tx].
func (w *WriteTx) NewIDs(ctx context.Context, kind record.Kind, n int) ([]int64, error) {
	ids := make([]int64, 0, n)
	for len(ids) < n {
		drawn := drawIDs(n - len(ids))
		taken, err := conn.Collect(ctx, w.Tx, "taken ids", pgx.RowTo[int64], "select id from "+table(kind)+
			" where id = any($1) union select id from person_records where id = any($1)", drawn)
		if err != nil {
			return nil, err
		}
		ids = append(ids, slices.DeleteFunc(drawn, func(id int64) bool { return slices.Contains(taken, id) })...)
	}
	return ids, nil
}

// drawIDs returns n different ids, or half a block if that is less, of a random block and in random order.
func drawIDs(n int) []int64 {
	n = min(n, 1<<(blockBits-1))
	block := firstID | random(idBits-blockBits)<<blockBits
	ids, drawn := make([]int64, 0, n), make(map[int64]bool, n)
	for len(ids) < n {
		if id := block | random(blockBits); !drawn[id] {
			ids, drawn[id] = append(ids, id), true
		}
	}
	return ids
}

// random returns a random number of some bits.
func random(bits int) int64 {
	var b [8]byte
	rand.Read(b[:]) // never fails: see crypto/rand.Read
	return int64(binary.BigEndian.Uint64(b[:]) >> (64 - bits))
}

// Package pack compresses records for the database. Postgres compresses only rows over 2 KB, and most records are
// smaller and alike; with a dictionary of typical records, they take a third of their size. The format is part of the
// database format: a packed record stays readable by every later Kith, so neither the format nor a dictionary in use
// may ever change. A better dictionary is a new one, with the next number.
package pack

import (
	_ "embed" // the dictionary
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// dictionary holds typical records of invented people, and words that many real records have.
//
//go:embed record.dict
var dictionary []byte

const (
	// dictionaryNumber is in every packed record.
	dictionaryNumber = 1
	// sizeBytes is the length of the size before the compressed record.
	sizeBytes = 4
	// most is the largest record, in bytes.
	most = 64 << 20
)

// codec compresses and decompresses concurrently.
type codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

// shared is made once, because the dictionary takes long to prepare.
var shared = sync.OnceValues(func() (codec, error) {
	// On a thousand bytes, faster levels lose little, and slower ones read the whole dictionary for each record.
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false),
		zstd.WithSingleSegment(true), zstd.WithEncoderDictRaw(dictionaryNumber, dictionary))
	if err != nil {
		return codec{}, err
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(most),
		zstd.WithDecoderDictRaw(dictionaryNumber, dictionary))
	return codec{encoder: e, decoder: d}, err
})

// Pack compresses a record: four bytes with its size, and a frame of Zstandard.
func Pack(record []byte) ([]byte, error) {
	c, err := shared()
	if err != nil {
		return nil, fmt.Errorf("pack record: %w", err)
	}
	packed := binary.BigEndian.AppendUint32(make([]byte, 0, sizeBytes+len(record)/2), uint32(len(record)))
	return c.encoder.EncodeAll(record, packed), nil
}

// Unpack returns the record that [Pack] compressed.
func Unpack(packed []byte) ([]byte, error) {
	c, err := shared()
	if err == nil && len(packed) < sizeBytes {
		err = zstd.ErrMagicMismatch
	}
	if err != nil {
		return nil, fmt.Errorf("unpack record: %w", err)
	}
	size := min(binary.BigEndian.Uint32(packed), most)
	record, err := c.decoder.DecodeAll(packed[sizeBytes:], make([]byte, 0, size))
	if err != nil {
		return nil, fmt.Errorf("unpack record: %w", err)
	}
	return record, nil
}

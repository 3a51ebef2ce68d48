// Package pack compresses records for the database with Zstandard, because Postgres compresses only rows over 2 KB and
// most records are smaller.
package pack

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

const (
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

// shared is made once, because its buffers are large.
var shared = sync.OnceValues(func() (codec, error) {
	// On a thousand bytes, slower levels gain 1 %.
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false),
		zstd.WithSingleSegment(true))
	if err != nil {
		return codec{}, err
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(most))
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

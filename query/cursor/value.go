package cursor

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
)

const (
	// packAbove is the size in bytes from which compression pays.
	packAbove = 1 << 10
	// maxValue limits the unpacked size, so that a small token cannot use much memory.
	maxValue = 1 << 20

	plainValue  = 'j' // JSON
	packedValue = 'z' // JSON, deflated
)

// Pack returns v as compact bytes: JSON, compressed if large.
func Pack(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("packing a cursor: %w", err)
	}
	if len(text) < packAbove {
		return append([]byte{plainValue}, text...), nil
	}
	var b bytes.Buffer
	b.WriteByte(packedValue)
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		return nil, fmt.Errorf("packing a cursor: %w", err)
	}
	if _, err := w.Write(text); err != nil {
		return nil, fmt.Errorf("packing a cursor: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("packing a cursor: %w", err)
	}
	return b.Bytes(), nil
}

// Unpack decodes bytes from [Pack] into v. Anything else is an error of kind kith.Malformed.
func Unpack(packed []byte, v any) error {
	if len(packed) == 0 {
		return unreadable()
	}
	text := packed[1:]
	switch packed[0] {
	case plainValue:
	case packedValue:
		var err error
		if text, err = io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(text)), maxValue)); err != nil {
			return unreadable()
		}
	default:
		return unreadable()
	}
	if err := json.Unmarshal(text, v); err != nil {
		return unreadable()
	}
	return nil
}

// SealValue packs and seals v.
func (s *Sealer) SealValue(purpose, binding string, v any) (string, error) {
	packed, err := Pack(v)
	if err != nil {
		return "", err
	}
	return s.Seal(purpose, binding, packed), nil
}

// OpenValue opens a token of [Sealer.SealValue] into v, with the errors of [Sealer.Open].
func (s *Sealer) OpenValue(purpose, binding, token string, v any) error {
	packed, err := s.Open(purpose, binding, token)
	if err != nil {
		return err
	}
	return Unpack(packed, v)
}

package load

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// packing is a way in which load files are packed.
type packing struct {
	name       string
	extensions []string
	begins     func(start []byte) bool
	open       func(io.Reader) (io.Reader, func() error, error)
}

// startSize is how much of a file tells how it is packed.
const startSize = 4

func packings() []packing {
	return []packing{
		{
			"gzip",
			[]string{".gz"},
			func(start []byte) bool { return bytes.HasPrefix(start, []byte{0x1f, 0x8b}) },
			func(r io.Reader) (io.Reader, func() error, error) {
				z, err := gzip.NewReader(r)
				// Its Close gives the error of the last read once more.
				return z, func() error { _ = z.Close(); return nil }, err
			},
		},
		{
			"zstd",
			[]string{".zst", ".zstd"},
			func(start []byte) bool {
				// Some write a frame that is to be skipped first.
				return bytes.Equal(start, []byte{0x28, 0xb5, 0x2f, 0xfd}) ||
					len(start) == startSize && start[0]&0xf0 == 0x50 && bytes.Equal(start[1:], []byte{0x2a, 0x4d, 0x18})
			},
			func(r io.Reader) (io.Reader, func() error, error) {
				z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
				if err != nil {
					return nil, nil, err
				}
				return z, func() error { z.Close(); return nil }, nil
			},
		},
	}
}

// unpack returns what is in a file, which is packed as its extension says, and
// must begin so.
func (s *source) unpack(path string, file io.Reader) (io.Reader, error) {
	raw := bufio.NewReader(file)
	start, err := raw.Peek(startSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	for _, p := range packings() {
		named := slices.Contains(p.extensions, strings.ToLower(filepath.Ext(path)))
		is := p.begins(start)
		switch {
		case named && len(start) < startSize:
			return nil, cutShort()
		case named && !is:
			return nil, packedError("it is not packed with " + p.name + ", as its name says; name it by what it is")
		case is && path == "-":
			return nil, packedError("it is packed with " + p.name + "; unpack it before, or load the file by its name")
		case is && !named:
			return nil, packedError("it is packed with " + p.name + "; its name must end in " + p.extensions[0])
		case named:
			return s.openPacked(p, raw)
		}
	}
	return raw, nil
}

func (s *source) openPacked(p packing, raw io.Reader) (io.Reader, error) {
	r, closeIt, err := p.open(raw)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, cutShort()
	}
	if err == nil {
		s.packed, s.close = true, append(s.close, closeIt)
	}
	return r, err
}

func cutShort() error { return fmt.Errorf("the file is cut short: %w", io.ErrUnexpectedEOF) }

// packedError says that a file is packed otherwise than its name says.
type packedError string

func (e packedError) Error() string { return string(e) }

// damaged reports whether an error of reading is about what is in a packed
// file, and not about the disk.
func (s *source) damaged(err error) bool {
	_, reading := errors.AsType[*fs.PathError](err)
	return err != nil && s.packed && !reading
}

// later unpacks a stream with the first read, since even to look at its
// beginning may have to wait for whoever writes it.
type later struct {
	s    *source
	path string
	raw  io.Reader
	r    io.Reader
	err  error
}

// Read implements [io.Reader].
func (l *later) Read(p []byte) (int, error) {
	if l.r == nil && l.err == nil {
		l.r, l.err = l.s.unpack(l.path, l.raw)
	}
	if l.err != nil {
		return 0, l.err
	}
	return l.r.Read(p)
}

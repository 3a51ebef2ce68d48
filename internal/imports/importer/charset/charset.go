// Package charset converts text files to UTF-8: with or without a byte order mark, from UTF-16, Windows-1252 or a given
// encoding. [Decode] detects the encoding from the bytes; [Found] reports it and how certain it is.
package charset

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Found is the detected encoding of a file. It is updated while the file is read.
type Found struct {
	// Name is the encoding: UTF-8, UTF-16, or the caller's name.
	Name string
	// High counts bytes above ASCII. Odd counts those that are not UTF-8 and were read as Windows-1252.
	High, Odd int64
}

// String describes the encoding.
func (f *Found) String() string {
	switch {
	case f.Odd == 0:
		return f.Name
	case f.Odd*10 >= f.High*9:
		return "Windows-1252"
	}
	return fmt.Sprintf("UTF-8, but for %d bytes, which were read as Windows-1252", f.Odd)
}

// Check returns an error for an unknown encoding.
func Check(name string) error {
	if _, err := htmlindex.Get(name); err != nil {
		return fmt.Errorf("unknown encoding %q: give one such as utf-8, utf-16le, windows-1252, windows-1251 or "+
			"shift_jis", name)
	}
	return nil
}

// peekSize is how much of a file is used to detect its encoding.
const peekSize = 4096

// Decode returns the text of a file as UTF-8, without a byte order mark. name is its
// encoding; if it is "", Decode detects the encoding.
func Decode(r io.Reader, name string) (io.Reader, *Found, error) {
	buffered := bufio.NewReaderSize(r, peekSize)
	head, _ := buffered.Peek(peekSize) // the first read returns the same error
	found := &Found{Name: "UTF-8"}
	switch {
	case name != "":
		e, err := htmlindex.Get(name)
		if err != nil {
			return nil, nil, Check(name)
		}
		found.Name = name
		return transform.NewReader(buffered, unicode.BOMOverride(e.NewDecoder())), found, nil
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}), isUTF16(head, 1):
		found.Name = "UTF-16"
		return transform.NewReader(buffered, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()), found,
			nil
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}), isUTF16(head, 0):
		found.Name = "UTF-16"
		return transform.NewReader(buffered, unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder()), found, nil
	case bytes.HasPrefix(head, []byte("\xEF\xBB\xBF")):
		_, _ = buffered.Discard(3) // just peeked at
	}
	carriage := bytes.IndexByte(head, '\r') >= 0 && bytes.IndexByte(head, '\n') < 0
	return transform.NewReader(buffered, &lenient{found: found, carriage: carriage}), found, nil
}

// isUTF16 reports whether text without a byte order mark has zeros at more than half of the
// even (zeroAt 0) or odd (1) positions.
func isUTF16(head []byte, zeroAt int) bool {
	if len(head) < 8 || head[zeroAt] != 0 {
		return false
	}
	zeros, others := 0, 0
	for i, c := range head {
		if c != 0 {
			continue
		}
		if i%2 == zeroAt {
			zeros++
		} else {
			others++
		}
	}
	return zeros*4 > len(head) && others*20 < len(head)
}

// lenient passes on UTF-8 and reads any other byte as Windows-1252.
type lenient struct {
	found *Found
	// carriage is true if lines end with a carriage return alone.
	carriage bool
}

// Reset implements [transform.Transformer].
func (*lenient) Reset() {}

// Transform implements [transform.Transformer].
func (l *lenient) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if n := ascii(src[nSrc:]); n > 0 {
			copied := copy(dst[nDst:], src[nSrc:nSrc+n])
			if l.carriage {
				replace(dst[nDst:nDst+copied], '\r', '\n')
			}
			nDst, nSrc = nDst+copied, nSrc+copied
			if copied < n {
				return nDst, nSrc, transform.ErrShortDst
			}
			continue
		}
		if !atEOF && !utf8.FullRune(src[nSrc:]) {
			return nDst, nSrc, transform.ErrShortSrc
		}
		r, size := utf8.DecodeRune(src[nSrc:])
		if nDst+utf8.UTFMax > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		l.found.High += int64(size)
		if r == utf8.RuneError && size == 1 {
			r = charmap.Windows1252.DecodeByte(src[nSrc])
			l.found.Odd++
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc += size
	}
	return nDst, nSrc, nil
}

// ascii returns the length of the ASCII prefix.
func ascii(s []byte) int {
	for i, c := range s {
		if c >= utf8.RuneSelf {
			return i
		}
	}
	return len(s)
}

func replace(s []byte, from, to byte) {
	for i, c := range s {
		if c == from {
			s[i] = to
		}
	}
}

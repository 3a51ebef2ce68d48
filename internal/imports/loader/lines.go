package loader

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxLine is the longest line in bytes, except in files of sequences and exports.
const MaxLine = 1 << 20

// rawLine is one line of the file, without its line break.
type rawLine struct {
	number int64
	text   []byte
	// tooLong is true for a line over the limit; text is then its beginning.
	tooLong bool
}

// lineReader reads lines and numbers them from 1. It counts blank lines, but skips them.
type lineReader struct {
	r      *bufio.Reader
	most   int
	number int64
}

// newLineReader returns a reader of lines of at most so many bytes.
func newLineReader(r io.Reader, most int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 256<<10), most: most}
}

// next returns the next line that is not blank; io.EOF after the last.
func (l *lineReader) next() (rawLine, error) {
	for {
		line, err := l.read()
		if err != nil {
			return rawLine{}, err
		}
		if l.number == 1 {
			line.text = bytes.TrimPrefix(line.text, []byte("\xef\xbb\xbf"))
		}
		if line.tooLong || len(bytes.TrimSpace(line.text)) > 0 {
			return line, nil
		}
	}
}

func (l *lineReader) read() (rawLine, error) {
	l.number++
	line := rawLine{number: l.number}
	for {
		part, err := l.r.ReadSlice('\n')
		ended := err == nil
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) && !errors.Is(err, io.EOF) {
			return rawLine{}, err
		}
		if errors.Is(err, io.EOF) && len(part) == 0 && len(line.text) == 0 && !line.tooLong {
			return rawLine{}, io.EOF
		}
		part = bytes.TrimSuffix(part, []byte("\n"))
		if room := l.most - len(line.text); len(part) > room {
			part, line.tooLong = part[:room], true
		}
		line.text = append(line.text, part...)
		if ended || errors.Is(err, io.EOF) {
			return line, nil
		}
	}
}

package load

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxLine is the longest line that is read, in bytes, but for sequences.
const MaxLine = 1 << 20

// rawLine is one line as it stands in the file, without its end.
type rawLine struct {
	number int64
	text   []byte
	// tooLong is true where the line is longer than may be; text is then its
	// beginning.
	tooLong bool
}

// lineReader reads lines and numbers them from 1. Blank lines are numbered and
// passed over.
type lineReader struct {
	r      *bufio.Reader
	most   int
	number int64
}

// newLineReader reads lines of at most so many bytes.
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

package load

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
)

// rejectFile takes the lines that were not stored, one JSON object a line. It
// is made when the first comes.
type rejectFile struct {
	path string
	file *os.File
	w    *bufio.Writer
}

type rejectedLine struct {
	Line   int64  `json:"line"`
	Reason string `json:"reason"`
	Text   string `json:"text"`
}

// add writes rejected lines. They are in the file, if not on the disk, when it
// returns.
func (r *rejectFile) add(items []item) error {
	if len(items) == 0 {
		return nil
	}
	if r.file == nil {
		f, err := os.Create(r.path)
		if err != nil {
			return fmt.Errorf("reject file: %w", err)
		}
		r.file, r.w = f, bufio.NewWriter(f)
	}
	for _, it := range items {
		line, err := json.Marshal(rejectedLine{
			Line: it.line, Reason: strings.ToValidUTF8(it.reason, "\uFFFD"), Text: strings.ToValidUTF8(string(it.text), "\uFFFD"),
		})
		if err != nil {
			return fmt.Errorf("reject file: %w", err)
		}
		// A bufio.Writer keeps its first error for Flush.
		_, _ = r.w.Write(append(line, '\n'))
	}
	if err := r.w.Flush(); err != nil {
		return fmt.Errorf("reject file: %w", err)
	}
	return nil
}

// made is the path of the file, where there is one.
func (r *rejectFile) made() string {
	if r.file == nil {
		return ""
	}
	return r.path
}

func (r *rejectFile) close() error {
	if r.file == nil {
		return nil
	}
	if err := r.file.Close(); err != nil {
		return fmt.Errorf("reject file: %w", err)
	}
	return nil
}

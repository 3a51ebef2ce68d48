package importer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"kith/internal/importer/layout"
)

// formatExport is what kith export writes.
const formatExport = "kith-export"

// maxExportLine bounds a line of an export, as a load does.
const maxExportLine = 64 << 20

// ExportLine is a line of an export of Kith, which is stored as it is.
type ExportLine struct {
	Source Source
	Text   []byte
	// Kind is the name of its one member, such as person; export is the first line and end
	// the last.
	Kind string
	// App and User are whose the export is.
	App, User string
	// Person is who a line with a person is about, for those who look at the file.
	Person *Person
}

// exportHead is the first line of an export.
type exportHead struct {
	Export *struct {
		App            string `json:"app"`
		ExternalUserID string `json:"external_user_id"`
	} `json:"export"`
}

// headOf reads the first line of an export; ok is false for any other text.
func headOf(text []byte) (h exportHead, ok bool) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return h, json.Unmarshal(line, &h) == nil && h.Export != nil && h.Export.App != ""
}

// export hands on the lines of an export. What is wrong with one is for the load to say.
func (r *reading) export(ctx context.Context, in io.Reader) error {
	people, _ := layout.Named("kith-people") // it is one of the formats
	d := &draft{layout: people}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxExportLine)
	var head exportHead
	for n := int64(1); lines.Scan(); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		line := &ExportLine{Source: r.source(n), Text: lines.Bytes()}
		if r.look(d, line); line.Kind == "export" {
			head, _ = headOf(line.Text) // what is not read is empty
		}
		if head.Export == nil {
			return errors.New("its first line does not say whose export it is")
		}
		line.App, line.User = head.Export.App, head.Export.ExternalUserID
		if err := asSink(r.sink.Export(ctx, line)); err != nil {
			return err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("a line is longer than %d MiB", maxExportLine>>20)
	}
	return lines.Err()
}

// look tells what a line is about, and counts it.
func (r *reading) look(d *draft, line *ExportLine) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(line.Text, &members) // a line that is no object has no kind
	for line.Kind = range members {
		break
	}
	switch line.Kind {
	case "export", "end":
		return
	case "person":
		if m, err := decode(members[line.Kind]); err == nil {
			p := d.person(d.layout.Of(m))
			p.Source, line.Person = line.Source, &p
		}
		r.run.report.People++
	case "company":
		r.run.report.Companies++
	}
	r.next()
	r.report.Taken++
}

func isExport(start []byte) bool {
	_, ok := headOf(start)
	return ok
}

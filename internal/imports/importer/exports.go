package importer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"kith/internal/imports/importer/layout"
)

// formatExport is the format that kith export writes.
const formatExport = "kith-export"

// maxExportLine limits a line of an export, as in a load.
const maxExportLine = 64 << 20

// ExportLine is a line of a Kith export, which is stored unchanged.
type ExportLine struct {
	Source Source
	Text   []byte
	// Kind is the name of its only member, such as person; export is the first line and end the last.
	Kind string
	// App and User identify the owner of the export.
	App, User string
	// Person is the person of a line, for previews; nil for other kinds.
	Person *Person
}

// exportHead is the first line of an export.
type exportHead struct {
	Export *struct {
		App            string `json:"app"`
		ExternalUserID string `json:"external_user_id"`
	} `json:"export"`
}

// parseHead parses the first line of an export; ok is false for other text.
func parseHead(text []byte) (h exportHead, ok bool) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return h, json.Unmarshal(line, &h) == nil && h.Export != nil && h.Export.App != ""
}

// export passes on the lines of an export. The load checks them.
func (r *reading) export(ctx context.Context, in io.Reader) error {
	people, _ := layout.Named("kith-people") // a built-in format
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
		if r.classify(d, line); line.Kind == "export" {
			head, _ = parseHead(line.Text) // empty if unreadable
		}
		if head.Export == nil {
			return errors.New("its first line does not name the owner of the export")
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

// classify determines the kind of a line and counts it.
func (r *reading) classify(d *draft, line *ExportLine) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(line.Text, &members) // other lines have no kind
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
	r.report.Records++
	r.report.Taken++
}

func isExport(start []byte) bool {
	_, ok := parseHead(start)
	return ok
}

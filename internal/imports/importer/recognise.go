package importer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"kith/internal/imports/importer/charset"
	"kith/internal/imports/importer/layout"
	"kith/internal/imports/importer/mailbox"
	"kith/internal/imports/importer/unpack"
	"kith/internal/imports/mapping"
)

// recognised is a file with a known or unknown format.
type recognised struct {
	report *FileReport
	// problem is why the file was not recognised.
	problem string
	// single is true for one message in a folder of messages.
	single bool
	read   func(context.Context, *reading) error
}

// headSize is how much of a file is used to detect its format.
const headSize = 64 << 10

// textSize is the same for text, because table headers may be long.
const textSize = 512 << 10

// recognise detects the format of a file from its beginning.
func recognise(f unpack.File, opts Options) (rec *recognised, known bool) {
	rec = &recognised{report: &FileReport{Name: f.Name}}
	head, err := f.Reader.Peek(headSize)
	if len(head) == 0 {
		rec.problem = "it is empty"
		if err != nil && !errors.Is(err, io.EOF) {
			rec.problem = err.Error()
		}
		return rec, false
	}
	if opts.Format == formatMail || opts.Format == "" && opts.Mapping == nil && isMail(head) {
		rec.mail(f.Reader, head)
		return rec, true
	}
	if isBinary(head) && opts.Encoding == "" {
		rec.problem = "it is not text"
		return rec, false
	}
	decoded, found, err := charset.Decode(f.Reader, opts.Encoding)
	if err != nil {
		rec.problem = err.Error()
		return rec, false
	}
	text := bufio.NewReaderSize(decoded, textSize)
	read := rec.text(text, opts, strings.TrimSpace(f.Name))
	if read == nil {
		return rec, false
	}
	rec.read = func(ctx context.Context, at *reading) error {
		defer func() { rec.report.Encoding = found.String() }()
		return read(ctx, at)
	}
	return rec, true
}

// Recognise returns the format and title of a file, or of the first recognised file in an
// archive or folder; ok is false if there is none.
func Recognise(ctx context.Context, path string) (format, title string, ok bool) {
	found := errors.New("found")
	_ = unpack.Walk(ctx, path, nil, unpack.Limits{}, func(f unpack.File) error { // not recognised if not opened
		rec, known := recognise(f, Options{})
		if !known {
			return nil
		}
		format, title, ok = rec.report.Format, rec.report.Title, true
		return found
	})
	return format, title, ok
}

// isBinary reports whether the beginning is not text.
func isBinary(head []byte) bool {
	start := head[:min(len(head), 1024)]
	for _, magic := range []string{
		"%PDF", "\x89PNG", "\xFF\xD8\xFF", "GIF8", "SQLite format", "\xD0\xCF\x11\xE0", "!BDN", "bplist",
	} {
		if bytes.HasPrefix(start, []byte(magic)) {
			return true
		}
	}
	odd := 0
	for _, c := range start {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0 {
			odd++
		}
	}
	return odd*20 > len(start)
}

// isMail reports whether a file is an mbox file or a message.
func isMail(head []byte) bool {
	first, _, _ := bytes.Cut(head, []byte("\n"))
	if mailbox.IsSeparator(bytes.TrimRight(first, "\r")) {
		return true
	}
	known := 0
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 {
			break
		}
		if line[0] == ' ' || line[0] == '\t' {
			continue
		}
		name, _, ok := bytes.Cut(line, []byte(":"))
		if !ok || len(name) > 60 || bytes.ContainsAny(name, " ,;\"") {
			return false
		}
		switch strings.ToLower(string(name)) {
		case "from", "to", "date", "subject", "message-id", "received", "return-path", "delivered-to", "mime-version",
			"dkim-signature":
			known++
		}
	}
	return known >= 2
}

// mail marks a file as mail.
func (rec *recognised) mail(r io.Reader, head []byte) {
	rec.report.Format, rec.report.Title = formatMail, "mail"
	first, _, _ := bytes.Cut(head, []byte("\n"))
	rec.single = !mailbox.IsSeparator(bytes.TrimRight(first, "\r"))
	rec.read = func(ctx context.Context, at *reading) error { return at.mail(ctx, r) }
}

// text returns a function that reads a text; nil if its format is unknown.
func (rec *recognised) text(r *bufio.Reader, opts Options, name string) func(context.Context, *reading) error {
	head, err := r.Peek(textSize)
	whole := err != nil
	start := bytes.TrimLeft(head, " \t\r\n")
	upper := strings.ToUpper(string(start[:min(len(start), 20)]))
	switch {
	case opts.Format == formatVCard, opts.Format == "" && strings.HasPrefix(upper, "BEGIN:VCARD"):
		rec.report.Format, rec.report.Title = formatVCard, "vCard address book"
		return func(ctx context.Context, at *reading) error { return at.cards(ctx, r) }
	case opts.Format == formatCalendar, opts.Format == "" && strings.HasPrefix(upper, "BEGIN:VCALENDAR"):
		rec.report.Format, rec.report.Title = formatCalendar, "iCalendar"
		return func(ctx context.Context, at *reading) error { return at.calendar(ctx, r) }
	case opts.Format == formatExport, opts.Format == "" && opts.Mapping == nil && isExport(start):
		rec.report.Format, rec.report.Title = formatExport, "an export of Kith"
		return func(ctx context.Context, at *reading) error { return at.export(ctx, r) }
	case len(start) > 0 && (start[0] == '{' || start[0] == '['):
		if read := rec.objects(r, start, opts, name); read != nil || rec.problem != "" {
			return read
		}
	}
	return rec.table(r, head, whole, opts, name)
}

// forced returns the layout that the options require.
func forced(opts Options) (layout.Layout, bool) {
	if opts.Format != "" {
		if l, ok := layout.Named(opts.Format); ok {
			forced := *l
			if opts.Mapping != nil {
				forced.Mapping = *opts.Mapping
			}
			return forced, true
		}
	}
	if opts.Mapping == nil {
		return layout.Layout{}, false
	}
	return layout.Layout{
		Name: "mapping", Title: "by the mapping file", Kind: kindOf(*opts.Mapping), Mapping: *opts.Mapping,
	}, true
}

// kindOf returns the kind of records that a mapping file describes.
func kindOf(m mapping.Mapping) layout.Kind {
	switch {
	case len(m.Contact) > 0:
		return layout.Contacts
	case len(m.Company) > 0 && len(m.Person) == 0:
		return layout.Companies
	}
	return layout.People
}

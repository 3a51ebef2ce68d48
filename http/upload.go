package http

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"kith"
	"kith/internal/imports"
)

// Limits of a form with files.
const (
	// formBody is the maximum size of a form in bytes: its files and everything between them.
	formBody = imports.MaxBytes + 8<<20
	// maxFields is the maximum number of parts other than files, formText the maximum length of their text in bytes.
	maxFields = 20
	formText  = 64 << 10
	// slowest is the minimum upload speed in bytes a second, after readTimeout.
	slowest = 64 << 10
)

// importForm is the form of POST /v2/imports.
type importForm struct {
	settings imports.Settings
	dryRun   bool
	wrong    []kith.FieldError
	texts    bytes.Buffer
}

// formFields lists the known parts of a form.
func formFields() []string {
	return []string{"file", "format", "map", "encoding", "owner", "dry_run"}
}

// receive reads a form part by part, and adds its files to the upload. It reports problems of the
// texts after reading everything.
func receive(w http.ResponseWriter, r *http.Request, u *imports.Upload) (*importForm, error) {
	if r.ContentLength > formBody {
		return nil, tooLarge(imports.MaxBytes)
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "multipart/form-data" {
		return nil, unsupported("the body must be a form with files; send Content-Type: multipart/form-data")
	}
	r.Body = &patient{ReadCloser: r.Body, set: http.NewResponseController(w).SetReadDeadline, began: time.Now()}
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, kith.Errorf(kith.Malformed, "FORM_MALFORMED", "the form cannot be read: its boundary is missing")
	}
	f := &importForm{}
	for fields := 0; ; {
		part, err := parts.NextPart()
		switch {
		case errors.Is(err, io.EOF):
			_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // the form may end before the body
			return f, kith.InvalidFields(f.wrong)
		case err != nil:
			return nil, errFormCut()
		case part.FormName() != "file":
			fields++
		}
		if fields > maxFields {
			return nil, kith.Errorf(kith.Malformed, "FORM_MALFORMED", "the form has more than %d parts besides files",
				maxFields)
		}
		if err := f.part(part, u); err != nil {
			return nil, err
		}
	}
}

func errFormCut() error {
	return kith.Errorf(kith.Malformed, "BODY_INCOMPLETE", "the form is incomplete or malformed; send it again")
}

// patient is a body whose read deadline grows with the bytes received: the default is for small requests.
type patient struct {
	io.ReadCloser
	set   func(time.Time) error
	began time.Time
	read  int64
}

func (p *patient) Read(b []byte) (int, error) {
	// Writers in tests have no deadlines.
	_ = p.set(p.began.Add(readTimeout + time.Duration(p.read/slowest)*time.Second))
	n, err := p.ReadCloser.Read(b)
	p.read += int64(n)
	return n, err
}

// part reads one part.
func (f *importForm) part(part *multipart.Part, u *imports.Upload) error {
	name := part.FormName()
	if name == "file" {
		err := u.Add(part.FileName(), part)
		_, ours := errors.AsType[*kith.Error](err)
		switch {
		case errors.Is(err, imports.ErrTooLarge):
			return tooLarge(imports.MaxBytes)
		case err != nil && !ours && isBrokenBody(err):
			return errFormCut()
		}
		return err
	}
	text, err := io.ReadAll(io.LimitReader(part, formText+1))
	if err != nil {
		return errFormCut()
	}
	return f.text(name, string(text), u)
}

// isBrokenBody reports whether an error came from the request rather than the disk.
func isBrokenBody(err error) bool {
	_, disk := errors.AsType[*imports.DiskError](err)
	return !disk
}

func (f *importForm) complain(field, code, message string) {
	f.wrong = append(f.wrong, kith.FieldError{Field: field, Code: code, Message: message})
}

// text reads the text of a part, or reports its problem.
func (f *importForm) text(name, text string, u *imports.Upload) error {
	fmt.Fprintf(&f.texts, "%s\x00%s\x00", name, text)
	switch {
	case !slices.Contains(formFields(), name):
		f.complain(strings.ToValidUTF8(name, "\uFFFD"), "UNKNOWN_FIELD",
			"is not a known field; use one of "+strings.Join(formFields(), ", "))
	case len(text) > formText:
		f.complain(name, "TOO_LONG", fmt.Sprintf("must be at most %d bytes", formText))
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		f.complain(name, "INVALID_VALUE", "must be text in UTF-8")
	case name == "map":
		if strings.TrimSpace(text) != "" {
			return u.SetMap(text)
		}
	case name == "format":
		f.settings.Format = strings.TrimSpace(text)
	case name == "encoding":
		f.settings.Encoding = strings.TrimSpace(text)
	case name == "owner":
		if address := strings.TrimSpace(text); address != "" {
			f.settings.Owner = append(f.settings.Owner, address)
		}
	case name == "dry_run":
		if f.dryRun = text == "true"; !f.dryRun && text != "false" && text != "" {
			f.complain(name, "INVALID_VALUE", "must be true or false")
		}
	}
	return nil
}

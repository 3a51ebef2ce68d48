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

// Bounds of a form with files.
const (
	// formBody is the most bytes of a form: its files, with all that stands between them.
	formBody = imports.MaxBytes + 8<<20
	// formParts is the most parts that are no files, formText the longest text of one.
	formParts = 20
	formText  = 64 << 10
	// slowest is how many bytes a second an upload may be slow, once readTimeout is over.
	slowest = 64 << 10
)

// importForm is what POST /v2/imports is sent.
type importForm struct {
	settings imports.Settings
	dryRun   bool
	wrong    []kith.FieldError
	texts    bytes.Buffer
}

// formFields are the parts of a form.
func formFields() []string {
	return []string{"file", "format", "map", "encoding", "owner", "dry_run"}
}

// receive reads a form part by part, and its files into the upload. What is wrong with the
// texts is said once all is read.
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
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		switch {
		case errors.Is(err, io.EOF):
			_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // as in readBody
			return f, kith.InvalidFields(f.wrong)
		case err != nil:
			return nil, errFormCut()
		case n == formParts+imports.MaxFiles:
			return nil, kith.Errorf(kith.Malformed, "FORM_MALFORMED", "the form has more than %d parts", formParts)
		}
		if err := f.part(part, u); err != nil {
			return nil, err
		}
	}
}

func errFormCut() error {
	return kith.Errorf(kith.Malformed, "BODY_INCOMPLETE", "the form broke off before its end, or is none; send it again")
}

// patient is a body that may take longer the more of it has come: the time to read a
// request is for small ones.
type patient struct {
	io.ReadCloser
	set   func(time.Time) error
	began time.Time
	read  int64
}

func (p *patient) Read(b []byte) (int, error) {
	// a writer without deadlines, as in tests, has none
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
		case err != nil && !ours && broke(err):
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

// broke reports whether an error came from the request, and not from the disk.
func broke(err error) bool {
	_, disk := errors.AsType[*imports.DiskError](err)
	return !disk
}

func (f *importForm) complain(field, code, message string) {
	f.wrong = append(f.wrong, kith.FieldError{Field: field, Code: code, Message: message})
}

// text takes the text of a part in, or says what is wrong with it.
func (f *importForm) text(name, text string, u *imports.Upload) error {
	fmt.Fprintf(&f.texts, "%s\x00%s\x00", name, text)
	switch {
	case !slices.Contains(formFields(), name):
		f.complain(strings.ToValidUTF8(name, "\uFFFD"), "UNKNOWN_FIELD",
			"is not a known field; known are "+strings.Join(formFields(), ", "))
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

package http

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// file is a static file for everyone. It is compressed and hashed once, and not for each request, because requests need
// no credential.
type file struct {
	contentType string
	// policy replaces the default content security policy, if set.
	policy string
	// hashed is true if the file's name changes with its content, so that clients need not ask again.
	hashed bool
	// plain and packed are made on first use.
	plain, packed func() form
}

// form is the plain or compressed form of a file. The tag is a hash of its bytes.
type form struct {
	body []byte
	tag  string
}

func newFile(contentType, policy string, body []byte) *file {
	return &file{
		contentType: contentType, policy: policy,
		plain:  sync.OnceValue(func() form { return newForm(body) }),
		packed: sync.OnceValue(func() form { return newForm(pack(body)) }),
	}
}

func pack(body []byte) []byte {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(body)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // the level is valid, and a buffer takes everything
	}
	return packed.Bytes()
}

func newForm(body []byte) form {
	sum := sha256.Sum256(body)
	return form{body: body, tag: `"` + hex.EncodeToString(sum[:16]) + `"`}
}

// ServeHTTP sends the file, unless the client has the current version. Clients must revalidate on each use, because
// addresses stay the same across versions and published tokens; a hashed file they may keep.
func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h, sent := w.Header(), f.plain()
	if accepts(r, "Accept-Encoding", "gzip") {
		sent = f.packed()
		h.Set("Content-Encoding", "gzip")
	}
	h.Add("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if f.hashed {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	h.Set("ETag", sent.tag)
	if f.policy != "" {
		h.Set("Content-Security-Policy", f.policy)
	}
	if has(r, sent.tag) {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	writeBody(w, http.StatusOK, f.contentType, sent.body)
}

// has reports whether the client has the version with this tag. It accepts weak tags, because
// proxies that change the compression make them.
func has(r *http.Request, tag string) bool {
	for _, given := range headerMembers(r, "If-None-Match") {
		if given == "*" || strings.TrimPrefix(given, "W/") == tag {
			return true
		}
	}
	return false
}

// accepts reports whether a header of acceptable values names one, with a weight above 0.
func accepts(r *http.Request, header, value string) bool {
	for _, given := range headerMembers(r, header) {
		named, parameters, err := mime.ParseMediaType(given)
		if err != nil || named != value {
			continue
		}
		weight, err := strconv.ParseFloat(parameters["q"], 64)
		return err != nil || weight > 0
	}
	return false
}

// headerMembers returns the members of a list header, which may occur several times.
func headerMembers(r *http.Request, header string) []string {
	members := strings.Split(strings.Join(r.Header.Values(header), ","), ",")
	for i := range members {
		members[i] = strings.TrimSpace(members[i])
	}
	return members
}

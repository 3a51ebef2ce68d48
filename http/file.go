package http

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// file is what everyone is given as it is: packed and known by its content once,
// when the server is made, and not with each request, which nobody signs in for.
type file struct {
	contentType string
	// policy replaces the policy of answers, where it is given.
	policy        string
	plain, packed form
}

// form is one of the two ways that a file is sent in. The tag is of its bytes.
type form struct {
	body []byte
	tag  string
}

func newFile(contentType, policy string, body []byte) (file, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(body)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return file{}, fmt.Errorf("pack %s: %w", contentType, err)
	}
	return file{contentType: contentType, policy: policy, plain: formOf(body), packed: formOf(packed.Bytes())}, nil
}

func formOf(body []byte) form {
	sum := sha256.Sum256(body)
	return form{body: body, tag: `"` + hex.EncodeToString(sum[:16]) + `"`}
}

// ServeHTTP sends the file, unless the client has it. Every use asks whether that
// is still so: the addresses stay the same when another version is installed, and
// one with another token.
func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h, sent := w.Header(), f.plain
	if takesGzip(r) {
		sent = f.packed
		h.Set("Content-Encoding", "gzip")
	}
	h.Add("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
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

// has reports whether the client says that it has what is of this tag. A proxy
// that changes how an answer is packed makes its tag a weak one.
func has(r *http.Request, tag string) bool {
	for _, given := range listed(r, "If-None-Match") {
		if given == "*" || strings.TrimPrefix(given, "W/") == tag {
			return true
		}
	}
	return false
}

func takesGzip(r *http.Request) bool {
	for _, given := range listed(r, "Accept-Encoding") {
		coding, parameters, err := mime.ParseMediaType(given)
		if err != nil || coding != "gzip" {
			continue
		}
		weight, err := strconv.ParseFloat(parameters["q"], 64)
		return err != nil || weight > 0
	}
	return false
}

// listed are the members of a header that is a list, which may stand more than once.
func listed(r *http.Request, header string) []string {
	members := strings.Split(strings.Join(r.Header.Values(header), ","), ",")
	for i := range members {
		members[i] = strings.TrimSpace(members[i])
	}
	return members
}

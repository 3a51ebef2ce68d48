package charset_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"kith/internal/imports/importer/charset"
	"kith/internal/test/expect"
)

// decoded reads a text in one piece, and compares with reading it byte by byte.
func decoded(t *testing.T, text []byte) (string, *charset.Found) {
	t.Helper()
	read := func(from io.Reader) (string, *charset.Found) {
		r, found, err := charset.Decode(from, "")
		expect.NoError(t, err)
		out, err := io.ReadAll(r)
		expect.NoError(t, err)
		return string(out), found
	}
	whole, found := read(bytes.NewReader(text))
	if slowly, again := read(iotest.OneByteReader(bytes.NewReader(text))); slowly != whole || *again != *found {
		t.Errorf("%q is %q (%+v) in one piece and %q (%+v) byte by byte", text, whole, *found, slowly, *again)
	}
	return whole, found
}

// Files in whole are tested in package importer.
func TestEncodingsAreDetected(t *testing.T) {
	long := strings.Repeat("a", 5000)
	for _, c := range []struct{ text, want, found string }{
		{"", "", "UTF-8"},
		{"\ufeffné", "né", "UTF-8"},
		{"\xff\xfen\x00\xe9\x00", "né", "UTF-16"},
		{"\xfe\xff\x00n\x00\xe9", "né", "UTF-16"},
		{"n\x00a\x00m\x00e\x00", "name", "UTF-16"},
		{"\x00n\x00a\x00m\x00e", "name", "UTF-16"},
		{"n\xe9 \x80", "né €", "Windows-1252"},
		{"né né né né n\xe9", "né né né né né", "UTF-8, but for 1 bytes, which were read as Windows-1252"},
		{long + "\xfc", long + "ü", "Windows-1252"}, // the bad byte is after the detected part
		{"n\xc3", "nÃ", "Windows-1252"},
		{"a\rb\r", "a\nb\n", "UTF-8"},
		{"a\r\nb\r\n", "a\r\nb\r\n", "UTF-8"},
	} {
		if got, found := decoded(t, []byte(c.text)); got != c.want || found.String() != c.found {
			t.Errorf("%q: %q, detected as %s; want %q, %s", c.text, got, found, c.want, c.found)
		}
	}
}

// FuzzDecode decodes any bytes to UTF-8, and UTF-8 without zeros to itself.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"", "a\x00b", "\xff\xfea", "\xef\xbb\xbf\xff", "na\xefve \u20ac", strings.Repeat("\x00", 9) + "a",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, _ := decoded(t, text)
		if !utf8.ValidString(got) {
			t.Errorf("%q is decoded as %q", text, got)
		}
		if utf8.Valid(text) && !bytes.ContainsAny(text, "\x00\r") && got != strings.TrimPrefix(string(text), "\ufeff") {
			t.Errorf("UTF-8 %q is decoded as %q", text, got)
		}
	})
}

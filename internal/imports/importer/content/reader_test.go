package content_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"kith/internal/imports/importer/content"
	"kith/internal/test/expect"
)

func TestPropertyValuesAreDecoded(t *testing.T) {
	for in, want := range map[string]string{
		"EMAIL:a@b.c":                                   "a@b.c",
		"item1.EMAIL;TYPE=work:a@b.c":                   "a@b.c",
		"EMAIL;INTERNET;PREF:a@b.c":                     "a@b.c",
		"EMAIL;X=\"a:b;c\":a@b.c":                       "a@b.c",
		"EMAIL:a@\n b.c":                                "a@b.c",
		"EMAIL;ENCODING=QUOTED-PRINTABLE:a=40b=\n.c":    "a@b.c",
		"EMAIL;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:=E9": "é",
		"EMAIL;X=\"open:a@b.c":                          "a@b.c",
		"EMAIL":                                         "",
		";:":                                            "",
	} {
		c, err := content.NewReader(strings.NewReader("BEGIN:VCARD\n"+in+"\nEND:VCARD\n"), "VCARD").Next()
		expect.NoError(t, err)
		if p, _ := c.Get("EMAIL"); p.Value != want {
			t.Errorf("%q is %q, not %q", in, p.Value, want)
		}
	}
}

func TestFieldsAreSplit(t *testing.T) {
	if got, want := content.Fields(`a\;b;c\,d;e\nf;g\\;`),
		[]string{"a;b", "c,d", "e\nf", `g\`, ""}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

// FuzzReader reads any input to its end.
func FuzzReader(f *testing.F) {
	for _, s := range []string{
		"BEGIN:VCARD\nFN:a\nEND:VCARD", "BEGIN:VCARD\nBEGIN:VCARD\n",
		"BEGIN:VCARD\nAGENT:\nBEGIN:VCARD\nEND:X", "A;B=\":\n C", "\n \n", "N;QUOTED-PRINTABLE:=\n=\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := content.NewReader(strings.NewReader(text), "VCARD")
		for {
			c, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			expect.NoError(t, err)
			for _, p := range c.Properties {
				content.Fields(p.Value)
			}
		}
	})
}

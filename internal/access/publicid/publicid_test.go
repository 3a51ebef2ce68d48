package publicid_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kith"
	"kith/internal/access/publicid"
	"kith/internal/test/expect"
)

func codec(t testing.TB, fill byte) *publicid.Codec {
	t.Helper()
	c, err := publicid.New(bytes.Repeat([]byte{fill}, 32))
	expect.NoError(t, err)
	return c
}

func TestSealAndOpenRoundTrip(t *testing.T) {
	c := codec(t, 1)
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.Int64Min(1).Draw(t, "id")
		text := c.Seal(publicid.Lead, id)
		got, err := c.Open(publicid.Lead, "id", text)
		if err != nil || got != id || !strings.HasSuffix(text, "!vNnNM") || text != c.Seal(publicid.Lead, id) {
			t.Fatalf("%d as %q is %d, %v", id, text, got, err)
		}
	})
}

// A well-formed identifier that was never issued is unknown, which is not an error.
func TestForeignIdentifiersAreUnknown(t *testing.T) {
	c := codec(t, 1)
	text := c.Seal(publicid.Sequence, 7)
	body := strings.TrimSuffix(text, publicid.Suffix)
	tests := map[string]string{
		"another kind": c.Seal(publicid.Lead, 7),
		"another key":  codec(t, 2).Seal(publicid.Sequence, 7),
		"cut":          body[:len(body)-1] + publicid.Suffix,
		"cut by four":  body[:len(body)-4] + publicid.Suffix,
		"one letter":   "A" + publicid.Suffix,
		"longer":       body + "AAAA" + publicid.Suffix,
		"re-cased":     strings.ToLower(body) + publicid.Suffix,
	}
	for name, text := range tests {
		if id, err := c.Open(publicid.Sequence, "id", text); id != 0 || err != nil {
			t.Errorf("%s: %d, %v", name, id, err)
		}
	}
}

func TestChangedIdentifiersAreUnknown(t *testing.T) {
	c := codec(t, 1)
	body := strings.TrimSuffix(c.Seal(publicid.Activity, 1), publicid.Suffix)
	for i := range len(body) {
		to := "A"
		if body[i] == 'A' {
			to = "B"
		}
		if id, err := c.Open(publicid.Activity, "id", body[:i]+to+body[i+1:]+publicid.Suffix); id != 0 || err != nil {
			t.Errorf("character %d: %d, %v", i, id, err)
		}
	}
}

func TestMalformedIdentifiersAreRefused(t *testing.T) {
	c := codec(t, 1)
	text := c.Seal(publicid.Sequence, 7)
	body := strings.TrimSuffix(text, publicid.Suffix)
	for _, bad := range []string{
		"", "7", publicid.Suffix, body, body + "!vnnnm", body + "%21vNnNM", body + "%2521vNnNM", text + "x",
		text[:len(text)-1],
		body + "==" + publicid.Suffix, "a/b" + publicid.Suffix, "a+b" + publicid.Suffix, "a b" + publicid.Suffix,
		"é" + publicid.Suffix,
		body + "\n" + publicid.Suffix, strings.Repeat("A", publicid.MaxLength) + publicid.Suffix, text + text,
	} {
		_, err := c.Open(publicid.Sequence, "sequence_id", bad)
		e, ok := errors.AsType[*kith.Error](err)
		if !ok || e.Kind != kith.Invalid {
			t.Fatalf("%q: %v", bad, err)
		}
		expect.Len(t, bad, e.Fields, 1)
		expect.Values(t, bad, []any{e.Fields[0].Field, e.Fields[0].Code, e.Fields[0].Message}, "sequence_id",
			"INVALID_ID", "must be the sequence id that an earlier answer gave, ending with !vNnNM")
	}
}

func TestNewRefusesShortSecrets(t *testing.T) {
	if _, err := publicid.New([]byte("short")); err == nil {
		t.Error("a short secret was accepted")
	}
}

func FuzzOpen(f *testing.F) {
	c := codec(f, 1)
	f.Add(c.Seal(publicid.Lead, 1))
	f.Add("!vNnNM")
	f.Fuzz(func(t *testing.T, text string) {
		if id, err := c.Open(publicid.Lead, "id", text); err == nil && id != 0 && c.Seal(publicid.Lead, id) != text {
			t.Errorf("%q and another text both identify row %d", text, id)
		}
	})
}

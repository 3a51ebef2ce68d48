package cursor_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"kith"
	"kith/internal/test/expect"
	"kith/query/cursor"
)

func sealer(t testing.TB, fill byte) *cursor.Sealer {
	t.Helper()
	s, err := cursor.New(bytes.Repeat([]byte{fill}, cursor.KeySize))
	expect.NoError(t, err)
	return s
}

func TestOpenReturnsWhatWasSealed(t *testing.T) {
	s := sealer(t, 1)
	for _, size := range []int{0, 1, 100, 20000} {
		plain := bytes.Repeat([]byte("x"), size)
		got, err := s.Open("page", "app:1", s.Seal("page", "app:1", plain))
		if err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%d bytes: got %d, %v", size, len(got), err)
		}
	}
}

func TestTokensOfOneTextDiffer(t *testing.T) {
	s := sealer(t, 1)
	if a, b := s.Seal("page", "b", []byte("x")), s.Seal("page", "b", []byte("x")); a == b {
		t.Error("the same plain text gave the same token twice")
	}
}

func TestOpenRefusesForeignAndDamagedTokens(t *testing.T) {
	s := sealer(t, 1)
	token := s.Seal("page", "app:1", []byte("secret"))
	tests := map[string]struct{ purpose, binding, token string }{
		"another caller":  {"page", "app:2", token},
		"another purpose": {"counts", "app:1", token},
		"moved border":    {"pageapp", ":1", token},
		"another key":     {"page", "app:1", sealer(t, 2).Seal("page", "app:1", []byte("secret"))},
		"empty":           {"page", "app:1", ""},
		"garbage":         {"page", "app:1", "not a token"},
		"short":           {"page", "app:1", "AQ"},
		"cut":             {"page", "app:1", token[:len(token)-2]},
		"longer":          {"page", "app:1", token + "AA"},
		"line break":      {"page", "app:1", token[:4] + "\n" + token[4:]},
		"huge":            {"page", "app:1", strings.Repeat("A", cursor.MaxToken+1)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { refused(t, s, tt.purpose, tt.binding, tt.token) })
	}
}

func TestOpenRefusesEveryChangedByte(t *testing.T) {
	s := sealer(t, 1)
	sealed, err := base64.RawURLEncoding.DecodeString(s.Seal("page", "app:1", []byte("secret")))
	expect.NoError(t, err)
	for i := range sealed {
		changed := bytes.Clone(sealed)
		changed[i] ^= 1
		refused(t, s, "page", "app:1", base64.RawURLEncoding.EncodeToString(changed))
	}
}

// refused demands the single error that reveals nothing.
func refused(t *testing.T, s *cursor.Sealer, purpose, binding, token string) {
	t.Helper()
	_, err := s.Open(purpose, binding, token)
	var e *kith.Error
	if !errors.As(err, &e) || e.Kind != kith.Malformed || e.Code != "CURSOR_INVALID" {
		t.Errorf("got %v", err)
	}
}

func TestValuesAreCompressed(t *testing.T) {
	s := sealer(t, 1)
	filters := map[string]string{}
	for i := range 21 {
		filters[strings.Repeat("f", i+1)] = strings.Repeat("software engineer, ", 50)
	}
	token, err := s.SealValue("page", "app:1", filters)
	expect.NoError(t, err)
	if len(token) > 4096 {
		t.Errorf("21 long filters take %d bytes", len(token))
	}
	var got map[string]string
	if err := s.OpenValue("page", "app:1", token, &got); err != nil || len(got) != 21 {
		t.Errorf("got %d filters, %v", len(got), err)
	}
}

func TestUnpackRefusesInvalidData(t *testing.T) {
	for _, packed := range []string{"", "?", "j", "j{", "z", "zgarbage"} {
		if err := cursor.Unpack([]byte(packed), new(any)); kith.KindOf(err) != kith.Malformed {
			t.Errorf("%q: got %v", packed, err)
		}
	}
}

func TestNewRefusesShortKeys(t *testing.T) {
	if _, err := cursor.New([]byte("short")); err == nil {
		t.Error("a short key was accepted")
	}
}

func FuzzOpen(f *testing.F) {
	s := sealer(f, 1)
	f.Add(s.Seal("page", "b", []byte("x")))
	f.Add("")
	f.Add("AQAA")
	f.Fuzz(func(t *testing.T, token string) {
		if _, err := s.Open("page", "a", token); err == nil {
			t.Error("opened a token that was not sealed for this caller")
		}
		if err := cursor.Unpack([]byte(token), new(any)); err != nil && kith.KindOf(err) != kith.Malformed {
			t.Errorf("got %v", err)
		}
	})
}

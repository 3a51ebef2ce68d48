// Package publicid converts row numbers to opaque public identifiers and back. Identifiers
// reveal neither numbers nor order, and cannot be guessed from one another.
package publicid

import (
	"crypto/hkdf"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/tink-crypto/tink-go/v2/daead/subtle"

	"kith"
)

// Suffix ends every identifier.
const Suffix = "!vNnNM"

// alphabet is that of URL-safe base64.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// MaxLength limits the texts that Open accepts, in bytes. Identifiers are shorter.
const MaxLength = 200

// Kind is the kind of row that an identifier names. An identifier of another kind names nothing.
type Kind string

// The kinds.
const (
	Sequence Kind = "sequence"
	Lead     Kind = "lead"
	Email    Kind = "email"
	Activity Kind = "activity"
	List     Kind = "list"
	Search   Kind = "search"
	Session  Kind = "session"
	Token    Kind = "token"
	// Suppression is an address that must not be written to.
	Suppression Kind = "suppression"
)

// Codec encrypts and decrypts identifiers with one key. It is safe for concurrent use.
//
// The cipher is AES-SIV (RFC 5297). It is deterministic, so each row has one identifier.
// It is authenticated, so forged identifiers do not decrypt.
type Codec struct{ siv *subtle.AESSIV }

// New returns a codec. It derives its key from secret, which must have at least 32 random
// bytes. Keep the secret: a new one changes every identifier.
func New(secret []byte) (*Codec, error) {
	if len(secret) < sha512.Size/2 {
		return nil, fmt.Errorf("public ids: a secret of %d bytes is too short", len(secret))
	}
	key, err := hkdf.Key(sha512.New, secret, nil, "kith public ids 1", subtle.AESSIVKeySize)
	if err != nil {
		return nil, fmt.Errorf("public ids: %w", err)
	}
	siv, err := subtle.NewAESSIV(key)
	if err != nil {
		return nil, fmt.Errorf("public ids: %w", err)
	}
	return &Codec{siv: siv}, nil
}

// Seal returns the identifier of a row: 32 characters of URL-safe base64 and the suffix.
func (c *Codec) Seal(kind Kind, id int64) string {
	sealed, err := c.siv.EncryptDeterministically(binary.BigEndian.AppendUint64(nil, uint64(id)), []byte(kind))
	if err != nil {
		panic(err) // only a text of nearly the size of memory is refused
	}
	return base64.RawURLEncoding.EncodeToString(sealed) + Suffix
}

// Open returns the row that an identifier names. For an identifier that was never issued for this kind and key it
// returns row 0, which no table has. The caller then behaves, and takes as long, as for a row of another user. If text
// is not an identifier at all, the error is kith.Invalid; field is the name of the field with the text.
func (c *Codec) Open(kind Kind, field, text string) (int64, error) {
	body, ok := strings.CutSuffix(text, Suffix)
	if !ok || body == "" || len(text) > MaxLength || strings.Trim(body, alphabet) != "" {
		return 0, kith.InvalidFields([]kith.FieldError{{
			Field: field, Code: "INVALID_ID",
			Message: fmt.Sprintf("must be the %s id that an earlier answer gave, ending with %s", kind, Suffix),
		}})
	}
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(body)
	if err != nil {
		return 0, nil // a cut identifier is one that was never given out
	}
	plain, err := c.siv.DecryptDeterministically(sealed, []byte(kind))
	if err != nil || len(plain) != 8 {
		return 0, nil // so is a forged one
	}
	return int64(binary.BigEndian.Uint64(plain)), nil
}

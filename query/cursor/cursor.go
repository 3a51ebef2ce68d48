// Package cursor seals the state that a client carries between requests: page tokens and counts. A
// sealed token is opaque and bound to its caller and purpose; changes are detected.
package cursor

import (
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"golang.org/x/crypto/chacha20poly1305"

	"kith"
)

// KeySize is the length of a key, in bytes.
const KeySize = chacha20poly1305.KeySize

// MaxToken is the longest token that [Sealer.Open] accepts, in bytes.
const MaxToken = 64 << 10

// version is the first byte of every token, before base64. Tokens of other versions are unreadable.
const version = 1

// Sealer seals tokens under one key and opens tokens of several. It is safe for concurrent use.
//
// The cipher is XChaCha20-Poly1305. Its nonces are long enough to draw at random for every token a
// key will ever seal. AES-GCM's are not, at one token per search result.
type Sealer struct{ aeads atomic.Pointer[[]cipher.AEAD] }

// New returns a sealer that seals with the first key and opens with all. A key has [KeySize] bytes.
// Keep it: tokens of other keys are unreadable.
func New(keys ...[]byte) (*Sealer, error) {
	s := &Sealer{}
	return s, s.Renew(keys...)
}

// Renew replaces the keys, from the next token on.
func (s *Sealer) Renew(keys ...[]byte) error {
	if len(keys) == 0 {
		return errors.New("cursor key: none given")
	}
	aeads := make([]cipher.AEAD, len(keys))
	for i, key := range keys {
		var err error
		if aeads[i], err = chacha20poly1305.NewX(key); err != nil {
			return fmt.Errorf("cursor key: %d bytes given, %d wanted", len(key), KeySize)
		}
	}
	s.aeads.Store(&aeads)
	return nil
}

// Seal returns plain as a token in URL-safe base64 without padding. Only [Sealer.Open] with the
// same purpose and binding can read it. The binding names the token's owner.
func (s *Sealer) Seal(purpose, binding string, plain []byte) string {
	return base64.RawURLEncoding.EncodeToString(s.SealBytes(purpose, binding, plain))
}

// SealBytes is [Sealer.Seal] for data that stays on the server: bytes of any length, not base64.
func (s *Sealer) SealBytes(purpose, binding string, plain []byte) []byte {
	size := 1 + chacha20poly1305.NonceSizeX
	aead := (*s.aeads.Load())[0]
	sealed := make([]byte, size, size+len(plain)+aead.Overhead())
	sealed[0] = version
	rand.Read(sealed[1:]) // never fails: see crypto/rand.Read
	return aead.Seal(sealed, sealed[1:size], plain, additionalData(purpose, binding))
}

// Open returns the sealed bytes. A token that is garbage, altered, or made for another purpose, binding
// or key always gives the same error, of kind kith.Malformed: the caller cannot distinguish the causes.
func (s *Sealer) Open(purpose, binding, token string) ([]byte, error) {
	if len(token) > MaxToken || strings.ContainsAny(token, "\r\n") { // base64 would skip line breaks
		return nil, unreadable()
	}
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil {
		return nil, unreadable()
	}
	return s.OpenBytes(purpose, binding, sealed)
}

// OpenBytes returns the bytes that [Sealer.SealBytes] sealed, with the errors of [Sealer.Open]. It
// has no length limit: do not use it for client input.
func (s *Sealer) OpenBytes(purpose, binding string, sealed []byte) ([]byte, error) {
	size := 1 + chacha20poly1305.NonceSizeX
	if len(sealed) < size || sealed[0] != version {
		return nil, unreadable()
	}
	bound := additionalData(purpose, binding)
	for _, aead := range *s.aeads.Load() {
		if plain, err := aead.Open(nil, sealed[1:size], sealed[size:], bound); err == nil {
			return plain, nil
		}
	}
	return nil, unreadable()
}

// additionalData is authenticated with a token. It includes the version, so that a changed version is detected too.
// Purposes contain no zero byte.
func additionalData(purpose, binding string) []byte {
	return append(append([]byte{version}, purpose...), "\x00"+binding...)
}

func unreadable() error {
	return kith.Errorf(kith.Malformed, "CURSOR_INVALID",
		"the cursor cannot be read; send one from an earlier response to the same caller, unchanged")
}

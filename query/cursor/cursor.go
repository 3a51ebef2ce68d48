// Package cursor seals what a client carries between requests: page tokens and counts. A sealed
// token is opaque and bound to its caller and purpose; changes are detected.
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

// MaxToken is the longest token that [Sealer.Open] looks at, in bytes.
const MaxToken = 64 << 10

// version is the first byte of every token before base64. A token of another
// version is unreadable.
const version = 1

// Sealer seals tokens under one key, and opens those of a few others too. It is safe for
// concurrent use.
//
// The cipher is XChaCha20-Poly1305: its nonces are long enough to be drawn at
// random for as many tokens as a key will ever see, which those of AES-GCM are
// not at a token for each search result.
type Sealer struct{ aeads atomic.Pointer[[]cipher.AEAD] }

// New returns a sealer that seals with the first key and opens with all. A key has
// [KeySize] bytes and is to be kept: tokens of another key are unreadable.
func New(keys ...[]byte) (*Sealer, error) {
	s := &Sealer{}
	return s, s.Renew(keys...)
}

// Renew has the sealer use other keys, from the next token on.
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

// Seal returns plain as a token that only [Sealer.Open] with the same purpose
// and binding can read: URL-safe base64 without padding. The binding says whom
// the token is for.
func (s *Sealer) Seal(purpose, binding string, plain []byte) string {
	return base64.RawURLEncoding.EncodeToString(s.SealBytes(purpose, binding, plain))
}

// SealBytes is [Sealer.Seal] for what the server keeps itself: bytes of any
// length, without the text form of a token.
func (s *Sealer) SealBytes(purpose, binding string, plain []byte) []byte {
	size := 1 + chacha20poly1305.NonceSizeX
	aead := (*s.aeads.Load())[0]
	sealed := make([]byte, size, size+len(plain)+aead.Overhead())
	sealed[0] = version
	rand.Read(sealed[1:]) // never fails: see crypto/rand.Read
	return aead.Seal(sealed, sealed[1:size], plain, bound(purpose, binding))
}

// Open returns what was sealed. A token that is garbage, was changed, or was
// made for another purpose, binding or key gives one and the same error, of
// kind kith.Malformed: the caller cannot tell which it was.
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

// OpenBytes returns what [Sealer.SealBytes] sealed; its errors are those of
// [Sealer.Open]. It has no limit of length: it is not for what clients send.
func (s *Sealer) OpenBytes(purpose, binding string, sealed []byte) ([]byte, error) {
	size := 1 + chacha20poly1305.NonceSizeX
	if len(sealed) < size || sealed[0] != version {
		return nil, unreadable()
	}
	bound := bound(purpose, binding)
	for _, aead := range *s.aeads.Load() {
		if plain, err := aead.Open(nil, sealed[1:size], sealed[size:], bound); err == nil {
			return plain, nil
		}
	}
	return nil, unreadable()
}

// bound is the additional data: the version is part of it, so that it cannot
// be changed either. Purposes hold no zero byte.
func bound(purpose, binding string) []byte {
	return append(append([]byte{version}, purpose...), "\x00"+binding...)
}

func unreadable() error {
	return kith.Errorf(kith.Malformed, "CURSOR_INVALID",
		"the cursor cannot be read; send the cursor of an earlier answer to the same caller, unchanged")
}

package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Prefixes of generated secrets, so that leaked ones can be recognised.
const (
	keyPrefix   = "sk_"
	tokenPrefix = "kt_"
	// sessionPrefix is for browser sessions; the others are for the links that begin them.
	sessionPrefix      = "ks_"
	linkPrefix         = "kl_"
	operatorLinkPrefix = "ko_"
	demoLinkPrefix     = "kd_"
)

// maxSecretLength is the longest secret, in bytes, that is hashed and looked up.
const maxSecretLength = 255

// Hash is the SHA-256 of a secret. Secrets are 256 random bits, so a plain
// hash is as hard to invert as they are to guess.
type Hash [sha256.Size]byte

// HashOf returns the hash of a secret.
func HashOf(secret string) Hash { return sha256.Sum256([]byte(secret)) }

// newSecret returns a prefix and 256 random bits in base64url.
func newSecret(prefix string) string {
	var b [32]byte
	rand.Read(b[:]) // it never fails: see crypto/rand.Read
	return prefix + base64.RawURLEncoding.EncodeToString(b[:])
}

// plausible reports whether a text can be a secret at all; anything else is refused without a look-up.
func plausible(secret string) bool {
	return secret != "" && len(secret) <= maxSecretLength &&
		!strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' })
}

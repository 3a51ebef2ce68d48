package keys

import (
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha512"
	"fmt"
)

// AuditKey is the key of the audit's chain.
func (r Ring) AuditKey() ([]byte, error) { return derive(r.Signing, "kith audit 1") }

// Signer returns the key that signs backups. It depends on the master key if there is one: a restore with the same
// master key knows it. Without one, it is in the database and in each backup.
func (k *Keeper) Signer() (ed25519.PrivateKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.master != nil {
		return k.master.Signer, nil
	}
	seed, err := derive(k.ring.Signing, "kith backups 1")
	if err != nil {
		return nil, err
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// derive makes a key of 32 bytes for one purpose.
func derive(secret []byte, purpose string) ([]byte, error) {
	key, err := hkdf.Key(sha512.New, secret, nil, purpose, ed25519.SeedSize)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", purpose, err)
	}
	return key, nil
}

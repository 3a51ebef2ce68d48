package keys

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"

	"kith/query/cursor"
)

// minMaster is the shortest master key, in bytes.
const minMaster = 32

// Master is a key that seals rings and is not stored in any database.
type Master struct {
	// Fingerprint identifies the master key and reveals nothing about it.
	Fingerprint string
	// Signer signs backups.
	Signer ed25519.PrivateKey

	sealer *cursor.Sealer
}

// NewMaster derives a master key from a secret of at least 32 bytes.
func NewMaster(secret []byte) (*Master, error) {
	secret = bytes.TrimSpace(secret)
	if len(secret) < minMaster {
		return nil, fmt.Errorf("a master key must have at least %d characters (got %d): make one with `openssl rand "+
			"-base64 32`", minMaster, len(secret))
	}
	key, err := derive(secret, "kith master key 1")
	if err != nil {
		return nil, err
	}
	sealer, err := cursor.New(key)
	if err != nil {
		return nil, err
	}
	signer, err := derive(secret, "kith backups 1")
	if err != nil {
		return nil, err
	}
	print := sha256.Sum256(append([]byte("kith master key print 1"), key...))
	return &Master{
		Fingerprint: hex.EncodeToString(print[:6]), sealer: sealer,
		Signer: ed25519.NewKeyFromSeed(signer),
	}, nil
}

// MasterSource is the source of a master key. At most one member is set; if none is, there is no master key.
type MasterSource struct {
	// Secret is the key itself, from the environment.
	Secret string
	File   string
	// Command is a shell command that prints the key.
	Command string
}

// Master fetches the key; nil if there is none.
func (s MasterSource) Master(ctx context.Context) (*Master, error) {
	n := 0
	for _, text := range []string{s.Secret, s.File, s.Command} {
		if text != "" {
			n++
		}
	}
	if n > 1 {
		return nil, fmt.Errorf("the master key has %d sources: a file, a command and the environment exclude one "+
			"another", n)
	}
	switch {
	case s.Secret != "":
		return NewMaster([]byte(s.Secret))
	case s.File != "":
		secret, err := os.ReadFile(s.File)
		if err != nil {
			return nil, fmt.Errorf("master key: %w", err)
		}
		return NewMaster(secret)
	case s.Command != "":
		cmd := exec.CommandContext(ctx, "/bin/sh", "-c", s.Command)
		cmd.Stderr = os.Stderr
		secret, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("the command that prints the master key failed: %w", err)
		}
		return NewMaster(secret)
	}
	return nil, nil
}

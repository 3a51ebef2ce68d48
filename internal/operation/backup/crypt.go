package backup

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	"filippo.io/age"
)

// minPassphrase is the shortest passphrase, in code points.
const minPassphrase = 12

// Recipients are the keys that a backup is encrypted for; empty leaves it plain.
type Recipients []age.Recipient

// ParseRecipients parses age public keys, a file with one such key per line, and a passphrase, which excludes keys. All
// may be empty: then the result is empty.
func ParseRecipients(keys []string, file, passphrase string) (Recipients, error) {
	var all Recipients
	for _, key := range keys {
		more, err := age.ParseRecipients(strings.NewReader(key))
		if err != nil {
			return nil, fmt.Errorf("%q is not an age recipient, such as age1… from age-keygen: %w", key, err)
		}
		all = append(all, more...)
	}
	if file != "" {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("recipients file: %w", err)
		}
		defer f.Close()
		more, err := age.ParseRecipients(f)
		if err != nil {
			return nil, fmt.Errorf("recipients file %s: %w", file, err)
		}
		all = append(all, more...)
	}
	if passphrase == "" {
		return all, nil
	}
	if len(all) > 0 {
		return nil, errors.New("a backup is encrypted for recipients or with a passphrase, not both")
	}
	if utf8.RuneCountInString(passphrase) < minPassphrase {
		return nil, fmt.Errorf("the passphrase must have at least %d characters", minPassphrase)
	}
	r, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return nil, fmt.Errorf("passphrase: %w", err)
	}
	return Recipients{r}, nil
}

// Identities returns what opens an encrypted backup: the private keys in a file written by age-keygen, and a
// passphrase. Both may be empty.
func Identities(file, passphrase string) ([]age.Identity, error) {
	var all []age.Identity
	if file != "" {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("identity: %w", err)
		}
		defer f.Close()
		if all, err = age.ParseIdentities(f); err != nil {
			return nil, fmt.Errorf("identity %s: %w", file, err)
		}
	}
	if passphrase == "" {
		return all, nil
	}
	id, err := age.NewScryptIdentity(passphrase)
	if err != nil {
		return nil, fmt.Errorf("passphrase: %w", err)
	}
	return append(all, id), nil
}

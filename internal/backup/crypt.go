package backup

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"filippo.io/age"
)

// minPassphrase is the shortest passphrase, in bytes.
const minPassphrase = 12

// Recipients are who a backup is encrypted for; none leave it plain.
type Recipients []age.Recipient

// ParseRecipients returns who a backup is encrypted for: public keys of age, the lines of a
// file of such keys, and a passphrase, which cannot be combined with keys. All may be
// empty: then there are none.
func ParseRecipients(keys []string, file, passphrase string) (Recipients, error) {
	var all Recipients
	for _, key := range keys {
		more, err := age.ParseRecipients(strings.NewReader(key))
		if err != nil {
			return nil, fmt.Errorf("%q is no recipient of age, such as age1…, which age-keygen prints: %w", key, err)
		}
		all = append(all, more...)
	}
	if file != "" {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("file of recipients: %w", err)
		}
		defer f.Close()
		more, err := age.ParseRecipients(f)
		if err != nil {
			return nil, fmt.Errorf("file of recipients %s: %w", file, err)
		}
		all = append(all, more...)
	}
	if passphrase == "" {
		return all, nil
	}
	if len(all) > 0 {
		return nil, errors.New("a backup is encrypted for recipients or with a passphrase, not both")
	}
	if len(passphrase) < minPassphrase {
		return nil, fmt.Errorf("the passphrase must have at least %d characters", minPassphrase)
	}
	r, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return nil, fmt.Errorf("passphrase: %w", err)
	}
	return Recipients{r}, nil
}

// Identities returns what opens an encrypted backup: the private keys of a file, as
// age-keygen writes it, and a passphrase. Both may be empty.
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

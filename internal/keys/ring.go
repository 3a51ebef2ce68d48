// Package keys manages the sealing keys of a dataset, for cursors, links and stored secrets. A
// [Ring] has the key in use and earlier ones, which still open what they sealed. It is stored
// in the database, optionally sealed with a [Master] key that is kept elsewhere. A [Keeper]
// loads it, follows rotations by others, and rotates it.
package keys

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kith/query/cursor"
)

// Key is one key of a ring.
type Key struct {
	ID     int       `json:"id"`
	Made   time.Time `json:"made"`
	Secret []byte    `json:"secret"`
}

// Ring are the keys of a directory.
type Ring struct {
	// IDs is the secret of the identifiers that callers see. It never changes, since
	// identifiers are kept by clients; it opens nothing that is secret.
	IDs []byte `json:"ids"`
	// Suppression is the key of the hashes that erased people are known by. It never
	// changes: hashes cannot be made anew without what they are of, which nobody keeps.
	Suppression []byte `json:"suppression,omitempty"`
	// Keys are those that open, the one that seals first.
	Keys []Key `json:"keys"`
	// Next is a key that opens already and is to seal once all processes know it.
	Next *Key `json:"next,omitempty"`
}

// newRing makes a ring of one key. It has no suppression key yet.
func newRing(now time.Time) Ring {
	k := newKey(1, now)
	return Ring{IDs: k.Secret, Keys: []Key{k}}
}

// suppressionSize is the size of a suppression key, in bytes.
const suppressionSize = 32

// newSuppression makes a suppression key.
func newSuppression() []byte {
	key := make([]byte, suppressionSize)
	_, _ = rand.Read(key) // never fails: see crypto/rand
	return key
}

func newKey(id int, now time.Time) Key {
	k := Key{ID: id, Made: now.UTC().Truncate(time.Second), Secret: make([]byte, cursor.KeySize)}
	_, _ = rand.Read(k.Secret) // never fails: see crypto/rand
	return k
}

// secrets are the keys that open, the one that seals first.
func (r Ring) secrets() [][]byte {
	var all [][]byte
	for _, k := range r.Keys {
		all = append(all, k.Secret)
	}
	if r.Next != nil {
		all = append(all, r.Next.Secret)
	}
	return all
}

// promoted is the ring in which the next key seals.
func (r Ring) promoted() Ring {
	if r.Next == nil {
		return r
	}
	r.Keys, r.Next = append([]Key{*r.Next}, r.Keys...), nil
	return r
}

// stored is a ring as the database has it: in plain, or sealed.
type stored struct {
	Ring
	// Master is the fingerprint of the master key that it is sealed with.
	Master string `json:"master,omitempty"`
	Sealed string `json:"sealed,omitempty"`
}

const purposeRing = "keys"

// encode writes a ring for the database; master is nil for one in plain.
func encode(r Ring, master *Master) ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil || master == nil {
		return text, err
	}
	return json.Marshal(struct {
		Master string `json:"master"`
		Sealed string `json:"sealed"`
	}{master.Fingerprint, master.sealer.Seal(purposeRing, "", text)})
}

// errDamaged says what a ring that cannot be read means.
var errDamaged = errors.New("the sealing keys in settings are damaged: put the row \"keys\" back from a backup; " +
	"without it the identifiers, links and cursors that were given out mean nothing any more, and sealed passwords " +
	"cannot be read")

// decode reads a ring.
func decode(text []byte, master *Master) (Ring, error) {
	var s stored
	if err := json.Unmarshal(text, &s); err != nil {
		return Ring{}, errDamaged
	}
	if err := s.sealedWith(master); err != nil {
		return Ring{}, err
	}
	if s.Master != "" {
		plain, err := master.sealer.Open(purposeRing, "", s.Sealed)
		if err != nil || json.Unmarshal(plain, &s.Ring) != nil {
			return Ring{}, errDamaged
		}
	}
	if len(s.Keys) == 0 || len(s.IDs) < cursor.KeySize || s.Suppression != nil && len(s.Suppression) != suppressionSize {
		return Ring{}, errDamaged
	}
	for _, secret := range s.secrets() {
		if len(secret) != cursor.KeySize {
			return Ring{}, errDamaged
		}
	}
	return s.Ring, nil
}

// sealedWith checks that the ring is sealed with the master key that is named, if any is.
func (s stored) sealedWith(master *Master) error {
	switch {
	case s.Master != "" && master == nil:
		return fmt.Errorf("the sealing keys of this database are sealed with master key %s: name it with "+
			"--master-key-file, --master-key-command or KITH_MASTER_KEY", s.Master)
	case s.Master == "" && master != nil:
		return errors.New("a master key is named, but the sealing keys of this database are not sealed with one: " +
			"run `kith keys move` with it first")
	case s.Master != "" && s.Master != master.Fingerprint:
		return fmt.Errorf("the sealing keys of this database are sealed with master key %s, and the one that is "+
			"named is %s", s.Master, master.Fingerprint)
	}
	return nil
}

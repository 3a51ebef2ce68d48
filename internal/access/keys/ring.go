// Package keys manages the sealing keys of a dataset, for cursors, links and stored secrets. A [Ring] holds the current
// key and earlier ones, which still open what they sealed. The database stores the ring, optionally sealed with a
// [Master] key that is kept elsewhere. A [Keeper] loads the ring, follows rotations by other processes, and rotates it.
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

// Ring holds the keys of a dataset.
type Ring struct {
	// IDs is the secret of public identifiers. It never changes, because clients store identifiers. It opens no sealed
	// secrets.
	IDs []byte `json:"ids"`
	// Suppression is the key of the hashes of erased people. It never changes: nobody keeps what the hashes are of, so
	// they cannot be recomputed.
	Suppression []byte `json:"suppression"`
	// Signing authenticates the audit and, without a master key, backups. It never changes, so that earlier ones
	// verify.
	Signing []byte `json:"signing"`
	// Keys are the keys that open; the first one also seals.
	Keys []Key `json:"keys"`
	// Next is a key that already opens, and will seal once all processes know it.
	Next *Key `json:"next,omitempty"`
}

// newRing makes a ring of one key.
func newRing() Ring {
	return Ring{
		IDs: newSecret(), Suppression: newSecret(), Signing: newSecret(),
		Keys: []Key{newKey(1)},
	}
}

func newKey(id int) Key {
	return Key{ID: id, Made: time.Now().UTC().Truncate(time.Second), Secret: newSecret()}
}

// newSecret returns a key of 32 bytes.
func newSecret() []byte {
	secret := make([]byte, cursor.KeySize)
	_, _ = rand.Read(secret) // never fails: see crypto/rand
	return secret
}

// secrets returns the keys that open, the sealing key first.
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

// promoted returns the ring with the next key as the sealing key.
func (r Ring) promoted() Ring {
	r.Keys, r.Next = append([]Key{*r.Next}, r.Keys...), nil
	return r
}

// stored is the stored form of a ring: plain or sealed.
type stored struct {
	Ring
	// Master is the fingerprint of the sealing master key.
	Master string `json:"master,omitempty"`
	Sealed string `json:"sealed,omitempty"`
}

const purposeRing = "keys"

// encode encodes a ring; it is plain if master is nil.
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

// errDamaged explains the consequence of an unreadable ring.
var errDamaged = errors.New("the keys in settings are lost or damaged: restore the row \"keys\" from a backup; " +
	"without it, issued identifiers, links and cursors no longer work, sealed passwords cannot be read, and erased " +
	"people could come back")

// decode decodes a ring.
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
	if len(s.Keys) == 0 || len(s.IDs) < cursor.KeySize || len(s.Suppression) != cursor.KeySize ||
		len(s.Signing) != cursor.KeySize {
		return Ring{}, errDamaged
	}
	for _, secret := range s.secrets() {
		if len(secret) != cursor.KeySize {
			return Ring{}, errDamaged
		}
	}
	return s.Ring, nil
}

// sealedWith checks that the ring is sealed with the given master key, or with none.
func (s stored) sealedWith(master *Master) error {
	switch {
	case s.Master != "" && master == nil:
		return fmt.Errorf("the sealing keys of this database are sealed with master key %s: name it with "+
			"--master-key-file, --master-key-command or KITH_MASTER_KEY", s.Master)
	case s.Master == "" && master != nil:
		return errors.New("a master key is named, but the sealing keys of this database are not sealed with one: " +
			"run `kith keys move` with it first")
	case s.Master != "" && s.Master != master.Fingerprint:
		return fmt.Errorf("the sealing keys of this database are sealed with master key %s, not with the named one, "+
			"%s", s.Master, master.Fingerprint)
	}
	return nil
}

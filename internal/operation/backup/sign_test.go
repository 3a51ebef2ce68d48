package backup_test

import (
	"archive/tar"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"kith/internal/operation/backup"
	"kith/internal/test/expect"
)

// entry is an entry of an archive.
type entry struct {
	name    string
	content []byte
}

// unpacked returns the entries of an archive.
func unpacked(t *testing.T, archive []byte) (all []entry) {
	t.Helper()
	plain, err := zstd.NewReader(bytes.NewReader(archive))
	expect.NoError(t, err)
	defer plain.Close()
	for r := tar.NewReader(plain); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		expect.NoError(t, err)
		content, err := io.ReadAll(r)
		expect.NoError(t, err)
		all = append(all, entry{h.Name, content})
	}
}

func packed(t *testing.T, entries []entry) []byte {
	t.Helper()
	var out bytes.Buffer
	compressed, err := zstd.NewWriter(&out)
	expect.NoError(t, err)
	w := tar.NewWriter(compressed)
	for _, e := range entries {
		expect.NoError(t, w.WriteHeader(&tar.Header{Name: e.name, Mode: 0o600, Size: int64(len(e.content))}))
		_, err := w.Write(e.content)
		expect.NoError(t, err)
	}
	expect.NoError(t, errors.Join(w.Close(), compressed.Close()))
	return out.Bytes()
}

// withRows returns the entries with other rows of the table small, and checksums to match.
func withRows(t *testing.T, entries []entry, rows string) []entry {
	t.Helper()
	sum := sha256.Sum256([]byte(rows))
	for i, e := range entries {
		switch e.name {
		case "tables/small/000001":
			entries[i].content = []byte(rows)
		case "sums.json":
			sums := map[string]backup.Sum{}
			expect.NoError(t, json.Unmarshal(e.content, &sums))
			sums["small"] = backup.Sum{Rows: 2, SHA256: hex.EncodeToString(sum[:])}
			var err error
			entries[i].content, err = json.MarshalIndent(sums, "", "  ")
			expect.NoError(t, err)
		}
	}
	return entries
}

// A changed archive is refused even if its checksums match, and so is one that something was joined to.
func TestChangedArchivesAreRefused(t *testing.T) {
	archive := write(t)
	with := func(change func([]entry) []entry) []byte { return packed(t, change(unpacked(t, archive))) }
	for name, c := range map[string]struct {
		archive []byte
		damaged bool
	}{
		"the same":         {archive, false},
		"packed again":     {with(func(all []entry) []entry { return all }), false},
		"joined to itself": {slices.Concat(archive, archive), true},
		"rows":             {with(func(all []entry) []entry { return withRows(t, all, "1\tuno\n2\tdos\n") }), true},
		"manifest": {with(func(all []entry) []entry {
			all[0].content = bytes.Replace(all[0].content, []byte("2026-11-25"), []byte("2026-11-26"), 1)
			return all
		}), true},
		"signature left out": {with(func(all []entry) []entry { return all[:len(all)-1] }), true},
		"an entry more": {with(func(all []entry) []entry {
			return append(all, entry{"tables/small/000002", []byte("3\tthree\n")})
		}), true},
	} {
		if _, err := read(c.archive); errors.Is(err, backup.ErrDamaged) != c.damaged || !c.damaged && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An archive says who signed it, and only the named signers are accepted.
func TestArchivesNameTheirSigner(t *testing.T) {
	r, err := backup.NewReader(bytes.NewReader(write(t)))
	expect.NoError(t, err)
	defer r.Close()
	own, other := signer("a").Public().(ed25519.PublicKey), signer("b").Public().(ed25519.PublicKey)
	for _, c := range []struct {
		known ed25519.PublicKey
		want  bool
	}{{nil, false}, {other, false}, {own, true}} {
		if err := r.RequireSigner(c.known); (err == nil) != c.want {
			t.Errorf("known signer %x: %v", c.known, err)
		}
	}
	parsed, err := backup.ParseSigner(r.Manifest.Signer)
	if err != nil || !parsed.Equal(own) {
		t.Errorf("the signer %s: %v", r.Manifest.Signer, err)
	}
	for _, bad := range []string{"", "5f1d", "x" + r.Manifest.Signer[1:]} {
		if _, err := backup.ParseSigner(bad); err == nil {
			t.Errorf("%q is a signer", bad)
		}
	}
}

// A failure that is due to damage is reported as damage, any other as itself.
func TestDamageIsBlamedForFailures(t *testing.T) {
	failure := errors.New("invalid input syntax")
	archive := write(t)
	for name, c := range map[string]struct {
		archive []byte
		want    error
	}{
		"intact": {archive, failure}, "cut short": {archive[:len(archive)-5], backup.ErrDamaged},
	} {
		for at := range manifest().Tables {
			r, err := backup.NewReader(bytes.NewReader(c.archive))
			expect.NoError(t, err)
			err = r.Each(func(t backup.Table, rows io.Reader) error {
				if t.Name == manifest().Tables[at].Name {
					_, _ = rows.Read(make([]byte, 7))
					return failure
				}
				return nil
			})
			if err = r.Blame(err); !errors.Is(err, c.want) {
				t.Errorf("%s, failure at table %d: %v", name, at, err)
			}
			r.Close()
		}
	}
}

package backup

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"
)

// maxObject is the most bytes of an entry other than rows.
const maxObject = 16 << 20

// ErrEncrypted is the error for an encrypted backup without an identity to open it.
var ErrEncrypted = errors.New("the backup is encrypted: name its identity with --identity, or set " +
	"KITH_BACKUP_PASSPHRASE")

// Reader reads an archive.
type Reader struct {
	// Manifest describes the archive.
	Manifest Manifest

	packed   *zstd.Decoder
	tar      *tar.Reader
	next     *tar.Header // read ahead; nil at the end
	manifest []byte
	read     int          // tables
	rows     *tableReader // of the table under way; nil before it
	sums     map[string]Sum
	verified bool
}

// NewReader reads the manifest. Identities open an encrypted archive.
func NewReader(from io.Reader, identities ...age.Identity) (*Reader, error) {
	plain, err := decrypted(bufio.NewReader(from), identities)
	if err != nil {
		return nil, err
	}
	packed, err := zstd.NewReader(plain, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("read the backup: %w", err)
	}
	r := &Reader{packed: packed, tar: tar.NewReader(packed), sums: map[string]Sum{}}
	if err := r.begin(); err != nil {
		packed.Close()
		return nil, err
	}
	return r, nil
}

// decrypted decrypts an encrypted archive and returns others unchanged.
func decrypted(from *bufio.Reader, identities []age.Identity) (io.Reader, error) {
	const intro = "age-encryption.org/"
	start, err := from.Peek(len(intro))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read the backup: %w", err)
	}
	if !bytes.Equal(start, []byte(intro)) {
		return from, nil
	}
	if len(identities) == 0 {
		return nil, ErrEncrypted
	}
	plain, err := age.Decrypt(from, identities...)
	if other := new(age.NoIdentityMatchError); errors.As(err, &other) {
		return nil, fmt.Errorf("the backup does not open with this identity or passphrase: %w", err)
	}
	if err != nil {
		return nil, damagedError(err)
	}
	return plain, nil
}

// begin reads the manifest, which comes first.
func (r *Reader) begin() error {
	err := r.advance()
	if errors.Is(err, zstd.ErrMagicMismatch) || err == nil && (r.next == nil || r.next.Name != manifestName) {
		return errors.New("the file is not a backup of kith")
	}
	if err == nil {
		r.manifest, err = r.object(&r.Manifest)
	}
	if err != nil {
		return err
	}
	if r.Manifest.Format != Format {
		return fmt.Errorf("the backup has format %d and this kith reads format %d: use the kith that wrote it (%s)",
			r.Manifest.Format, Format, r.Manifest.Kith)
	}
	return r.advance()
}

// Close releases the reader's resources.
func (r *Reader) Close() { r.packed.Close() }

// RequireSigner returns an error unless the archive names the signer; nil is an unknown one. Anyone can name a signer:
// [Reader.Each] checks the signature.
func (r *Reader) RequireSigner(known ed25519.PublicKey) error {
	switch {
	case known == nil:
		return fmt.Errorf("the backup is signed by %[1]s, which is not known here: if `kith backup` or `kith keys` "+
			"printed this signer on your server, repeat with --signer %[1]s", r.Manifest.Signer)
	case r.Manifest.Signer != Signer(known):
		return fmt.Errorf("the backup is signed by %s, not by %s", r.Manifest.Signer, Signer(known))
	}
	return nil
}

// Each calls visit with each table and its rows, in the order of the manifest, and then checks the signature. It
// returns an error for a truncated, damaged or changed archive, possibly only after the last table: on an error,
// nothing read may be kept. After an error of visit, the next call continues.
func (r *Reader) Each(visit func(t Table, rows io.Reader) error) error {
	for ; r.read < len(r.Manifest.Tables); r.read++ {
		t := r.Manifest.Tables[r.read]
		if r.rows == nil {
			r.rows = &tableReader{r: r, name: tablesName + t.Name + "/", hash: sha256.New()}
		}
		if err := visit(t, r.rows); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, r.rows); err != nil {
			return err
		}
		r.sums[t.Name] = Sum{Rows: r.rows.rows, SHA256: hex.EncodeToString(r.rows.hash.Sum(nil))}
		r.rows = nil
	}
	if r.verified {
		return nil
	}
	err := r.verify()
	r.verified = err == nil
	return err
}

// Blame returns the damage of the archive if there is any, else err: a statement may have failed because of it. It
// reads the rest of the archive, unless err is a cancelation.
func (r *Reader) Blame(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return cmp.Or(r.Each(func(Table, io.Reader) error { return nil }), err)
}

// verify compares the checksums of the tables and checks the signature.
func (r *Reader) verify() error {
	if r.next == nil || r.next.Name != sumsName {
		return fmt.Errorf("%w or cut short: its end is missing", ErrDamaged)
	}
	var want map[string]Sum
	text, err := r.object(&want)
	if err != nil {
		return err
	}
	for name, sum := range want {
		if got := r.sums[name]; got != sum {
			return fmt.Errorf("%w: table %s has %d rows and %d were written, or rows differ", ErrDamaged, name,
				got.Rows, sum.Rows)
		}
	}
	if len(want) != len(r.sums) {
		return fmt.Errorf("%w: its tables differ from those written", ErrDamaged)
	}
	if err := r.advance(); err != nil {
		return err
	}
	return cmp.Or(r.checkSignature(text), r.finish())
}

// checkSignature checks the signature of the manifest's signer.
func (r *Reader) checkSignature(sums []byte) error {
	if r.next == nil || r.next.Name != signatureName {
		return fmt.Errorf("%w or cut short: its signature is missing", ErrDamaged)
	}
	signature, err := io.ReadAll(io.LimitReader(r.tar, maxObject))
	if err != nil {
		return damagedError(err)
	}
	signer, err := ParseSigner(r.Manifest.Signer)
	if err != nil || !ed25519.Verify(signer, signed(r.manifest, sums), signature) {
		return fmt.Errorf("%w or was changed: %s did not sign it", ErrDamaged, r.Manifest.Signer)
	}
	return nil
}

// finish reads to the end, which holds further checksums and the encryption's authentication. Nothing may follow.
func (r *Reader) finish() error {
	if err := r.advance(); err != nil {
		return err
	}
	rest, err := io.ReadAll(io.LimitReader(r.packed, 1))
	if err != nil {
		return damagedError(err)
	}
	if r.next != nil || len(rest) > 0 {
		return fmt.Errorf("%w: something follows its end, such as another backup joined to it", ErrDamaged)
	}
	return nil
}

// Sums returns the checksums of the tables read.
func (r *Reader) Sums() map[string]Sum { return r.sums }

func (r *Reader) advance() error {
	next, err := r.tar.Next()
	if errors.Is(err, io.EOF) {
		r.next = nil
		return nil
	}
	if err != nil {
		return damagedError(err)
	}
	r.next = next
	return nil
}

// object decodes an entry of JSON and returns its text.
func (r *Reader) object(into any) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r.tar, maxObject))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return nil, damagedError(err)
	}
	return text, nil
}

func damagedError(err error) error { return fmt.Errorf("%w or cut short: %w", ErrDamaged, err) }

// tableReader joins the archive entries of a table.
type tableReader struct {
	r    *Reader
	name string
	rows int64
	hash hash.Hash
}

// Read implements [io.Reader].
func (t *tableReader) Read(p []byte) (int, error) {
	for t.r.next != nil && strings.HasPrefix(t.r.next.Name, t.name) {
		n, err := t.r.tar.Read(p)
		t.hash.Write(p[:n])
		t.rows += lines(p[:n])
		switch {
		case n > 0:
			return n, nil
		case errors.Is(err, io.EOF):
			if err := t.r.advance(); err != nil {
				return 0, err
			}
		case err != nil:
			return 0, damagedError(err)
		}
	}
	return 0, io.EOF
}

// lines counts rows in the output of COPY, which escapes line breaks inside them.
func lines(p []byte) int64 { return int64(bytes.Count(p, []byte{'\n'})) }

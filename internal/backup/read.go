package backup

import (
	"archive/tar"
	"bufio"
	"bytes"
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

// maxObject is the most bytes of the manifest and of the sums.
const maxObject = 16 << 20

// ErrEncrypted is the error for an encrypted backup without an identity to open it.
var ErrEncrypted = errors.New("the backup is encrypted: name its identity with --identity, or set " +
	"KITH_BACKUP_PASSPHRASE")

// Reader reads an archive.
type Reader struct {
	// Manifest describes the archive.
	Manifest Manifest

	packed *zstd.Decoder
	tar    *tar.Reader
	next   *tar.Header // read ahead; nil at the end
	sums   map[string]Sum
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
	if err != nil {
		return nil, fmt.Errorf("the backup does not open with this identity or passphrase: %w", err)
	}
	return plain, nil
}

// begin reads the manifest, which comes first.
func (r *Reader) begin() error {
	if err := r.advance(); err != nil || r.next == nil || r.next.Name != manifestName {
		return errors.Join(errors.New("the file is not a backup of kith"), err)
	}
	if err := r.object(&r.Manifest); err != nil {
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

// Each calls visit with each table and its rows, in the order of the manifest. It returns an error for a truncated or
// damaged archive, possibly only after the last table: on an error, nothing read may be kept.
func (r *Reader) Each(visit func(t Table, rows io.Reader) error) error {
	for _, t := range r.Manifest.Tables {
		rows := &tableReader{r: r, name: tablesName + t.Name + "/", hash: sha256.New()}
		if err := visit(t, rows); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, rows); err != nil {
			return err
		}
		r.sums[t.Name] = Sum{Rows: rows.rows, SHA256: hex.EncodeToString(rows.hash.Sum(nil))}
	}
	return r.verify()
}

// verify compares the checksums of the tables.
func (r *Reader) verify() error {
	if r.next == nil || r.next.Name != sumsName {
		return errors.New("the backup is cut short: its end is missing")
	}
	var want map[string]Sum
	if err := r.object(&want); err != nil {
		return err
	}
	for name, sum := range want {
		if got := r.sums[name]; got != sum {
			return fmt.Errorf("the backup is damaged: table %s has %d rows and %d were written, or rows differ", name, got.Rows,
				sum.Rows)
		}
	}
	if len(want) != len(r.sums) {
		return errors.New("the backup is damaged: its tables differ from those written")
	}
	return r.finish()
}

// finish reads to the end, which holds further checksums and the encryption's authentication.
func (r *Reader) finish() error {
	if err := r.advance(); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, r.packed); err != nil {
		return damagedError(err)
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

func (r *Reader) object(into any) error {
	text, err := io.ReadAll(io.LimitReader(r.tar, maxObject))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return damagedError(err)
	}
	return nil
}

func damagedError(err error) error {
	return fmt.Errorf("the backup is damaged or cut short: %w", err)
}

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

package backup

import (
	"archive/tar"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"
)

// Names of entries in an archive; tablesName is the prefix of tables.
const (
	manifestName  = "manifest.json"
	sumsName      = "sums.json"
	signatureName = "signature"
	tablesName    = "tables/"
)

// chunk is how many bytes of a table form one archive entry: tar needs the size before the content.
const chunk = 4 << 20

// Writer writes an archive: first the manifest, then the tables, then [Writer.Close].
type Writer struct {
	signer   ed25519.PrivateKey
	at       time.Time
	tar      *tar.Writer
	closes   []io.Closer
	manifest []byte
	sums     map[string]Sum
	buffer   []byte
}

// NewWriter begins an archive that the signer signs, encrypted for the recipients, if any.
func NewWriter(w io.Writer, signer ed25519.PrivateKey, recipients ...age.Recipient) (*Writer, error) {
	out := &Writer{signer: signer, sums: map[string]Sum{}, buffer: make([]byte, 0, chunk)}
	if len(recipients) > 0 {
		sealed, err := age.Encrypt(w, recipients...)
		if err != nil {
			return nil, fmt.Errorf("encrypt the backup: %w", err)
		}
		w, out.closes = sealed, []io.Closer{sealed}
	}
	packed, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("compress the backup: %w", err)
	}
	out.tar = tar.NewWriter(packed)
	out.closes = append([]io.Closer{out.tar, packed}, out.closes...)
	return out, nil
}

// Manifest writes the manifest; its time becomes that of the archive.
func (w *Writer) Manifest(m Manifest) error {
	w.at, m.Format, m.Signer = m.Created, Format, Signer(w.signer.Public().(ed25519.PublicKey))
	var err error
	w.manifest, err = w.object(manifestName, m)
	return err
}

// Table writes the rows that fill writes, one a line.
func (w *Writer) Table(name string, fill func(io.Writer) error) error {
	t := &tableWriter{w: w, name: name, hash: sha256.New()}
	w.buffer = w.buffer[:0]
	if err := errors.Join(fill(t), t.flush()); err != nil {
		return err
	}
	w.sums[name] = Sum{Rows: t.rows, SHA256: hex.EncodeToString(t.hash.Sum(nil))}
	return nil
}

// Sums returns the checksums of the tables so far.
func (w *Writer) Sums() map[string]Sum { return w.sums }

// Close writes the end of the archive. Without it, the archive counts as truncated.
func (w *Writer) Close() error {
	sums, err := w.object(sumsName, w.sums)
	errs := []error{err, w.entry(signatureName, ed25519.Sign(w.signer, signed(w.manifest, sums)))}
	for _, c := range w.closes {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// object writes an entry as JSON and returns its text.
func (w *Writer) object(name string, v any) ([]byte, error) {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the backup: %w", err)
	}
	text = append(text, '\n')
	return text, w.entry(name, text)
}

func (w *Writer) entry(name string, content []byte) error {
	err := w.tar.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(content)), ModTime: w.at})
	if err == nil {
		_, err = w.tar.Write(content)
	}
	if err != nil {
		return fmt.Errorf("write the backup: %w", err)
	}
	return nil
}

// tableWriter splits the rows of a table into entries.
type tableWriter struct {
	w     *Writer
	name  string
	parts int
	rows  int64
	hash  hash.Hash
}

// Write implements [io.Writer].
func (t *tableWriter) Write(p []byte) (int, error) {
	t.hash.Write(p)
	t.rows += lines(p)
	for rest := p; len(rest) > 0; {
		n := min(len(rest), chunk-len(t.w.buffer))
		t.w.buffer, rest = append(t.w.buffer, rest[:n]...), rest[n:]
		if len(t.w.buffer) == chunk {
			if err := t.flush(); err != nil {
				return 0, err
			}
		}
	}
	return len(p), nil
}

// flush writes the buffer as the next entry; a table has at least one.
func (t *tableWriter) flush() error {
	if len(t.w.buffer) == 0 && t.parts > 0 {
		return nil
	}
	t.parts++
	err := t.w.entry(fmt.Sprintf("%s%s/%06d", tablesName, t.name, t.parts), t.w.buffer)
	t.w.buffer = t.w.buffer[:0]
	return err
}

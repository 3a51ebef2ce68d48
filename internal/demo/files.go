package demo

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"kith/internal/imports/loader"
)

// The compressions of load files, as file name extensions.
const (
	Plain = ""
	Gzip  = "gz"
	Zstd  = "zst"
)

// File is a load file that was written.
type File struct {
	Path    string
	Records int
	Bytes   int64 // the size of the file
}

// Progress receives the progress of writing a file; kind is "companies" or "people". Calls
// are never concurrent, and there are at most a few hundred for a file.
type Progress func(kind string, done, total int)

// block is how many records are written before progress is reported, at least.
const block = 1000

// WriteFiles writes a dataset into the folder dir, which it creates if necessary, as companies.ndjson and
// people.ndjson, plus the extension of the compression. Companies come first, because a load needs them first. A file
// appears under its name only when complete. An existing file is an error, because it may be somebody's own. After an
// error, none of the files exists. progress may be nil.
func WriteFiles(ctx context.Context, dir string, cfg Config, compress string, progress Progress) ([]File, error) {
	d, err := New(cfg)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("demo: making the folder of the load files: %w", err)
	}
	if progress == nil {
		progress = func(string, int, int) {}
	}
	kinds := []recordKind{
		{"companies", d.cfg.Companies, func(id int64) ([]byte, error) { return loader.CompanyLine(d.Company(id)) }},
		{"people", d.cfg.People, func(id int64) ([]byte, error) {
			return loader.PersonLine(d.Person(id),
				time.Time{})
		}},
	}
	for _, k := range kinds {
		path := k.path(dir, compress)
		if _, err := os.Lstat(path); err == nil {
			return nil, fmt.Errorf("%s is there already: name another directory, or remove it", path)
		}
	}
	var files []File
	for _, k := range kinds {
		f, err := k.write(ctx, dir, compress, progress)
		if err != nil {
			for _, f := range files {
				err = errors.Join(err, os.Remove(f.Path))
			}
			return nil, fmt.Errorf("demo: writing %s: %w", k.name, err)
		}
		files = append(files, f)
	}
	return files, nil
}

// recordKind is one kind of records to write.
type recordKind struct {
	name  string
	total int
	line  func(id int64) ([]byte, error)
}

func (k recordKind) path(dir, compress string) string {
	path := filepath.Join(dir, k.name+".ndjson")
	if compress != Plain {
		path += "." + compress
	}
	return path
}

func (k recordKind) write(ctx context.Context, dir, compress string, progress Progress) (File, error) {
	path := k.path(dir, compress)
	tmp, err := os.CreateTemp(dir, "."+k.name+"-*")
	if err != nil {
		return File{}, err
	}
	// Gone already after success.
	defer func() { _ = os.Remove(tmp.Name()) }()
	err = k.compressTo(ctx, tmp, compress, progress)
	if err := errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return File{}, err
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return File{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return File{}, err
	}
	return File{Path: path, Records: k.total, Bytes: info.Size()}, nil
}

// compressTo writes the records.
func (k recordKind) compressTo(ctx context.Context, to io.Writer, compress string, progress Progress) error {
	buffered := bufio.NewWriterSize(to, 1<<18)
	w, err := compressor(buffered, compress)
	if err != nil {
		return err
	}
	// A later call repeats the error of an earlier write.
	return cmp.Or(k.encode(ctx, w, progress), w.Close(), buffered.Flush())
}

func compressor(w io.Writer, compress string) (io.WriteCloser, error) {
	switch compress {
	case Plain:
		return plainWriter{w}, nil
	case Gzip:
		return gzip.NewWriterLevel(w, gzip.BestSpeed)
	case Zstd:
		return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	}
	return nil, fmt.Errorf("unknown compression %q: give nothing, %q or %q", compress, Gzip, Zstd)
}

type plainWriter struct{ io.Writer }

func (plainWriter) Close() error { return nil }

// encode writes the records as lines.
func (k recordKind) encode(ctx context.Context, w io.Writer, progress Progress) error {
	every := max(k.total/200/block*block, block)
	for done := 1; done <= k.total; done++ {
		line, err := k.line(int64(done))
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
		if done%every == 0 || done == k.total {
			progress(k.name, done, k.total)
		}
		if done%block == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

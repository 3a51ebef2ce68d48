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
	"runtime"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"
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
	// Bytes is the size of the file, Text its size when decompressed.
	Bytes, Text int64
}

// Progress receives the progress of writing a file; kind is "companies" or "people". Calls
// are never concurrent, and there are at most a few hundred for a file.
type Progress func(kind string, done, total int)

// block is how many records a worker encodes at a time.
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
		{"companies", d.cfg.Companies, func(b []byte, id int64) []byte { return AppendCompany(b, d.Company(id)) }},
		{"people", d.cfg.People, func(b []byte, id int64) []byte { return AppendPerson(b, d.Person(id)) }},
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
	line  func(b []byte, id int64) []byte
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
	text, err := k.compressTo(ctx, tmp, compress, progress)
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
	return File{Path: path, Records: k.total, Bytes: info.Size(), Text: text}, nil
}

// compressTo writes the records and returns their size before compression.
func (k recordKind) compressTo(ctx context.Context, to io.Writer, compress string, progress Progress) (int64, error) {
	buffered := bufio.NewWriterSize(to, 1<<18)
	w, err := compressor(buffered, compress)
	if err != nil {
		return 0, err
	}
	text, err := k.encode(ctx, w, progress)
	// A later call repeats the error of an earlier write.
	return text, cmp.Or(err, w.Close(), buffered.Flush())
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

// encode encodes blocks of records in parallel, one worker per processor, and writes them
// in order. It holds at most two blocks per worker in memory.
func (k recordKind) encode(ctx context.Context, w io.Writer, progress Progress) (int64, error) {
	group, ctx := errgroup.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	work := make(chan job)
	order := make(chan chan []byte, workers)
	free := make(chan []byte, 2*workers+1)
	group.Go(func() error {
		defer close(work)
		defer close(order)
		for first := 0; first < k.total; first += block {
			j := job{first: first, last: min(first+block, k.total), done: make(chan []byte, 1)}
			if !send(ctx, order, j.done) || !send(ctx, work, j) {
				return ctx.Err()
			}
		}
		return nil
	})
	for range workers {
		group.Go(func() error {
			for j := range work {
				j.done <- k.block(j, takeBuffer(free))
			}
			return nil
		})
	}
	var text int64
	group.Go(func() (err error) {
		text, err = k.drain(ctx, w, order, free, progress)
		return err
	})
	err := group.Wait()
	return text, err
}

// job is one block of records to encode.
type job struct {
	first, last int
	done        chan []byte
}

func send[T any](ctx context.Context, to chan<- T, v T) bool {
	select {
	case to <- v:
		return true
	case <-ctx.Done():
		return false
	}
}

// takeBuffer returns a buffer for reuse, or nil.
func takeBuffer(free <-chan []byte) []byte {
	select {
	case b := <-free:
		return b[:0]
	default:
		return nil
	}
}

func (k recordKind) block(j job, b []byte) []byte {
	for i := j.first; i < j.last; i++ {
		b = k.line(b, int64(i+1))
	}
	return b
}

// drain writes the blocks in order and returns their buffers for reuse.
func (k recordKind) drain(ctx context.Context, w io.Writer, order <-chan chan []byte, free chan<- []byte,
	progress Progress,
) (int64, error) {
	var text int64
	every := max(k.total/200/block*block, block)
	for done := 0; done < k.total; {
		encoded, err := nextBlock(ctx, order)
		if err != nil {
			return text, err
		}
		n, err := w.Write(encoded)
		text += int64(n)
		if err != nil {
			return text, err
		}
		select {
		case free <- encoded:
		default:
		}
		if done = min(done+block, k.total); done%every == 0 || done == k.total {
			progress(k.name, done, k.total)
		}
	}
	return text, nil
}

func nextBlock(ctx context.Context, order <-chan chan []byte) ([]byte, error) {
	select {
	case next, more := <-order:
		if !more {
			return nil, ctx.Err()
		}
		select {
		case encoded := <-next:
			return encoded, nil
		case <-ctx.Done():
		}
	case <-ctx.Done():
	}
	return nil, ctx.Err()
}

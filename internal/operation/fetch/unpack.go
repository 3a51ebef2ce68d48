package fetch

import (
	"archive/tar"
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/xi2/xz"
)

// unpack makes the folder of a program appear at once, so that a killed process leaves nothing that looks complete.
func unpack(p Program, archive, dir string) error {
	work := filepath.Join(filepath.Dir(dir), ".unpacking-"+p.Folder)
	defer func() { _ = os.RemoveAll(work) }()                                      // the next try removes it, too
	if err := errors.Join(os.RemoveAll(work), os.Mkdir(work, 0o755)); err != nil { // a killed process may have left it
		return err
	}
	if err := errors.Join(p.Unpack(archive, work), open(work)); err != nil {
		return err
	}
	return os.Rename(work, dir)
}

// Zip returns a function that unpacks the files of a zip below a folder of the zip.
func Zip(folder string) func(archive, dir string) error {
	return func(archive, dir string) error {
		r, err := zip.OpenReader(archive)
		if err != nil {
			return err
		}
		defer func() { _ = r.Close() }()
		return into(dir, func(w writer) error {
			for _, f := range r.File {
				name, inside := strings.CutPrefix(f.Name, folder+"/")
				if !inside || f.FileInfo().IsDir() {
					continue
				}
				text, err := f.Open()
				if err != nil {
					return err
				}
				if err := errors.Join(w.file(name, f.Mode(), text), text.Close()); err != nil {
					return fmt.Errorf("%s: %w", f.Name, err)
				}
			}
			return nil
		})
	}
}

// ZippedTarXZ unpacks the .txz file in a zip.
func ZippedTarXZ(archive, dir string) error {
	r, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	for _, f := range r.File {
		if !strings.HasSuffix(f.Name, ".txz") {
			continue
		}
		text, err := f.Open()
		if err != nil {
			return err
		}
		return errors.Join(tarXZ(text, dir), text.Close())
	}
	return errors.New("it has no .txz file")
}

func tarXZ(packed io.Reader, dir string) error {
	plain, err := xz.NewReader(packed, 0)
	if err != nil {
		return err
	}
	return into(dir, func(w writer) error {
		for files := tar.NewReader(plain); ; {
			h, err := files.Next()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			switch h.Typeflag {
			case tar.TypeReg:
				err = w.file(h.Name, h.FileInfo().Mode(), files)
			case tar.TypeSymlink:
				err = w.link(h.Name, h.Linkname)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", h.Name, err)
			}
		}
	})
}

// writer writes files that cannot leave its folder.
type writer struct{ root *os.Root }

func into(dir string, write func(writer) error) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	return errors.Join(write(writer{root}), root.Close())
}

func (w writer) file(name string, mode fs.FileMode, text io.Reader) error {
	name = filepath.Clean(filepath.FromSlash(name))
	if err := w.root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	out, err := w.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode.Perm()|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, text)
	return errors.Join(err, out.Close())
}

func (w writer) link(name, to string) error {
	name = filepath.Clean(filepath.FromSlash(name))
	if err := w.root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return w.root.Symlink(to, name)
}

// open lets everyone read and run the programs, whatever the umask: for root, they run as another user.
func open(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		mode := info.Mode().Perm() | 0o444
		if mode&0o100 != 0 {
			mode |= 0o111
		}
		return os.Chmod(path, mode)
	})
}

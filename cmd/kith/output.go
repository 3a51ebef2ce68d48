package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// output is where results go. It keeps the first error of writing, so that a
// command whose results nobody got does not end as if all were well, without
// each line that is printed being asked about.
type output struct {
	w   io.Writer
	err error
}

// Write implements [io.Writer].
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}

// secret prints what is shown only once. Where nobody got it, undo takes back
// what it opens: without it that is of no use, and holds a name. A reader that has
// gone is an error here, too.
func (o *output) secret(s string, undo func() error) error {
	if _, err := fmt.Fprintln(o, s); err != nil {
		return errors.Join(fmt.Errorf("the secret could not be printed, so nothing was created: %v", err), undo()) //nolint:errorlint // see above
	}
	return nil
}

// readerLeft reports that who reads the standard output has had enough.
func readerLeft(err error) bool {
	broken, ok := errors.AsType[*fs.PathError](err)
	return ok && broken.Path == os.Stdout.Name() && errors.Is(broken, syscall.EPIPE)
}

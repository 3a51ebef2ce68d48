package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// output is the destination of results. It stores the first write error, so that a command
// reports failure if its results were not written, without checks after every line.
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

// secret prints a secret that is shown only once. If that fails, undo deletes what the secret gives access to, since it
// would be useless and occupy a name. Here a closed pipe is an error too.
func (o *output) secret(s string, undo func() error) error {
	if _, err := fmt.Fprintln(o, s); err != nil {
		return errors.Join(errors.New("the secret could not be printed, so nothing was created: "+err.Error()), undo())
	}
	return nil
}

// readerLeft reports whether the reader of standard output has closed it.
func readerLeft(err error) bool {
	broken, ok := errors.AsType[*fs.PathError](err)
	return ok && broken.Path == os.Stdout.Name() && errors.Is(broken, syscall.EPIPE)
}

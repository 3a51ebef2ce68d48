package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"syscall"
	"time"
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

// json prints a value as JSON: on one line, unless there is an indent. &, < and > are not escaped, as only pages need,
// not even in stored JSON.
func (o *output) json(v any, indent string) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return err
	}
	// The first pair makes an escaped backslash hide what follows it.
	plain := strings.NewReplacer(`\\`, `\\`, `\u0026`, "&", `\u003c`, "<", `\u003e`, ">")
	_, err := plain.WriteString(o, b.String())
	return err
}

// listFlags are the flags of commands that list.
type listFlags struct {
	JSON bool `name:"json" env:"KITH_JSON"`
}

// listing prints rows: with --json each as one line of JSON, else as a table. A row is a struct. The headings are the
// names of its JSON, or in the tag heading. The tag table says what happens to a column that does not fit: whole, as
// times always are, or spare (see [use]), or - for a field that only JSON has. Without rows nothing is printed.
type listing[T any] struct {
	out    *output
	asJSON bool
	fields []int
	table  *table
}

func newListing[T any](out *output, f listFlags) *listing[T] {
	l := &listing[T]{out: out, asJSON: f.JSON}
	var columns []column
	for i, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if field.Tag.Get("table") != "-" {
			l.fields = append(l.fields, i)
			columns = append(columns, columnOf(field))
		}
	}
	l.table = newTable(out, columns...)
	return l
}

func columnOf(field reflect.StructField) column {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	c := column{heading: cmp.Or(field.Tag.Get("heading"), strings.ToUpper(strings.ReplaceAll(name, "_", " ")))}
	switch tag := field.Tag.Get("table"); {
	case tag == "spare":
		c.use = spare
	case tag == "whole" || field.Type == reflect.TypeFor[time.Time]():
		c.use = whole
	}
	return c
}

// add prints a row, at once or with the next ones.
func (l *listing[T]) add(row T) error {
	if l.asJSON {
		return l.out.json(row, "")
	}
	cells := make([]string, len(l.fields))
	for i, field := range l.fields {
		cells[i] = cellText(reflect.ValueOf(row).Field(field).Interface())
	}
	l.table.row(cells...)
	return l.out.err
}

// end prints the rows that are left.
func (l *listing[T]) end() error {
	l.table.flush()
	return l.out.err
}

// printList prints a list at once; row returns the row of an entry.
func printList[E, T any](out *output, f listFlags, all []E, row func(E) T) error {
	l := newListing[T](out, f)
	for _, entry := range all {
		if err := l.add(row(entry)); err != nil {
			return err
		}
	}
	return l.end()
}

// cellText formats the value of a cell.
func cellText(v any) string {
	switch v := v.(type) {
	case time.Time:
		return minute(v)
	case []string:
		return strings.Join(v, " ")
	case []int64:
		return strings.Trim(fmt.Sprint(v), "[]")
	case json.RawMessage:
		return string(v)
	}
	return fmt.Sprint(v)
}

// minute formats a time for tables.
func minute(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04Z")
}

// readerLeft reports whether the reader of standard output has closed it.
func readerLeft(err error) bool {
	broken, ok := errors.AsType[*fs.PathError](err)
	return ok && broken.Path == os.Stdout.Name() && errors.Is(broken, syscall.EPIPE)
}

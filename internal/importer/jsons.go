package importer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"kith/internal/importer/layout"
	"kith/internal/importer/objects"
)

// samples is how many objects tell the format of a file.
const samples = 20

// objects returns how to read JSON; nil where the format of its objects is not known.
func (rec *recognised) objects(r *bufio.Reader, head []byte, opts Options, name string) func(context.Context, *reading) error {
	lines := isLines(head)
	given, isGiven := forced(opts)
	for _, root := range roots(head, given.Root, lines) {
		some := sample(head, root, lines)
		if len(some) == 0 {
			continue
		}
		b, ok := layout.OfObjects(name, some)
		if isGiven {
			b, ok = layout.BindObjects(given, some), true
		}
		if !ok {
			rec.problem = "its members are not known: " + strings.Join(keys(some[0]), ", ") + "; say what they are with --map"
			continue
		}
		rec.report.Format, rec.report.Title, rec.report.Columns = b.Layout.Name, b.Layout.Title, b.Columns
		return func(ctx context.Context, at *reading) error {
			return at.objects(ctx, objects.NewReader(r, root, lines), b)
		}
	}
	return nil
}

func keys(m map[string]any) []string {
	all := slices.Sorted(maps.Keys(m))
	return all[:min(len(all), 20)]
}

// isLines reports a file with an object on each line.
func isLines(head []byte) bool {
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		line = bytes.TrimSuffix(bytes.TrimSpace(line), []byte(","))
		if len(line) > 0 && line[0] == '[' {
			return false
		}
		if len(line) > 2 && line[0] == '{' && json.Valid(line) {
			return true
		}
	}
	return false
}

// roots are the paths of lists that may hold the records: the file itself, then
// lists of objects that are members of its first object.
func roots(head []byte, given string, lines bool) []string {
	if given != "" {
		return []string{given}
	}
	all := []string{""}
	if lines || head[0] != '{' {
		return all
	}
	dec := json.NewDecoder(bytes.NewReader(head))
	var path []string
	name, isName, after := "", false, false
	for range 2000 {
		tok, err := dec.Token()
		if err != nil {
			break
		}
		switch tok {
		case json.Delim('{'):
			if after {
				all = append(all, strings.Join(path[1:], "."))
			}
			path, isName = append(path, name), true
		case json.Delim('['):
			path = append(path, name)
			isName = false
		case json.Delim('}'), json.Delim(']'):
			path = path[:len(path)-1]
			isName = true
		default:
			if s, ok := tok.(string); ok && isName {
				name, isName = s, false
			} else {
				isName = true
			}
		}
		after = tok == json.Delim('[')
	}
	return all
}

// sample reads the first objects.
func sample(head []byte, root string, lines bool) []map[string]any {
	in := objects.NewReader(bytes.NewReader(head), root, lines)
	var all []map[string]any
	for len(all) < samples {
		o, err := in.Next()
		if err != nil {
			break
		}
		if m, err := decode(o.Text); err == nil && len(m) > 0 {
			all = append(all, m)
		}
	}
	return all
}

func decode(text []byte) (map[string]any, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var m map[string]any
	err := dec.Decode(&m)
	return m, err
}

// objects reads the objects of a file.
func (r *reading) objects(ctx context.Context, in *objects.Reader, b *layout.Bound) error {
	d := &draft{layout: &b.Layout}
	for {
		o, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r.report.Records++
		if o.Text == nil {
			if err := r.reject(ctx, o.Line, o.Problem); err != nil {
				return err
			}
			continue
		}
		m, err := decode(o.Text)
		if err != nil {
			err = r.reject(ctx, o.Line, ReasonUnreadable)
		} else {
			err = r.record(ctx, d, o.Line, m)
		}
		if err != nil {
			return err
		}
	}
}

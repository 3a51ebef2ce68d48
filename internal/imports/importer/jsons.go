package importer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"kith/internal/imports/importer/layout"
	"kith/internal/imports/importer/objects"
)

// samples is how many objects are used to detect the format of a file.
const samples = 20

// objects returns a function that reads JSON; nil if the format of its objects is unknown.
func (rec *recognised) objects(r *bufio.Reader, head []byte, opts Options,
	name string,
) func(context.Context, *reading) error {
	given, isGiven := forced(opts)
	for _, at := range roots(head, given.Root) {
		some := sample(head, at)
		if len(some) == 0 {
			continue
		}
		b, ok := layout.OfObjects(name, some)
		if isGiven {
			b, ok = layout.BindObjects(given, some), true
		}
		if !ok {
			rec.problem = "unknown members: " + strings.Join(keys(some[0]), ", ") + "; map them with --map"
			continue
		}
		rec.report.Format, rec.report.Title, rec.report.Columns = b.Layout.Name, b.Layout.Title, b.Columns
		return func(ctx context.Context, in *reading) error {
			return in.objects(ctx, objects.NewReader(r, at.path, at.lines), b)
		}
	}
	return nil
}

func keys(m map[string]any) []string {
	all := slices.Sorted(maps.Keys(m))
	return all[:min(len(all), 20)]
}

// isLines reports whether a file has one object per line.
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

// root is a list that may contain the records of a file.
type root struct {
	path  string
	lines bool
}

// roots returns the lists that may contain the records: the file itself, then the lists of
// objects within its first object.
func roots(head []byte, given string) []root {
	if given != "" {
		return []root{{given, false}}
	}
	all := []root{{"", isLines(head)}}
	if head[0] != '{' {
		return all
	}
	dec := json.NewDecoder(bytes.NewReader(head))
	// the head may be truncated
	_ = lists(dec, nil, func(path []string) { all = append(all, root{strings.Join(path, "."), false}) })
	return all
}

// lists finds the lists of objects in the next value.
func lists(dec *json.Decoder, path []string, found func([]string)) error {
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	switch tok {
	case json.Delim('{'):
		for dec.More() {
			name, err := dec.Token()
			if err != nil {
				return err
			}
			text, _ := name.(string)
			if err := lists(dec, append(slices.Clone(path), text), found); err != nil {
				return err
			}
		}
		_, err = dec.Token()
	case json.Delim('['):
		err = elements(dec, path, found)
	}
	return err
}

// elements skips a list whose opening bracket has been read.
func elements(dec *json.Decoder, path []string, found func([]string)) error {
	first := true
	for depth := 1; depth > 0; first = false {
		tok, err := dec.Token()
		if err != nil {
			return err
		}
		switch tok {
		case json.Delim('{'), json.Delim('['):
			if first && tok == json.Delim('{') && len(path) > 0 {
				found(path)
			}
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
	return nil
}

// sample reads the first objects.
func sample(head []byte, at root) []map[string]any {
	in := objects.NewReader(bytes.NewReader(head), at.path, at.lines)
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
	return each(ctx, in.Next, func(o objects.Object) error {
		r.report.Records++
		if o.Text == nil {
			return r.reject(ctx, o.Line, o.Problem)
		}
		m, err := decode(o.Text)
		if err != nil {
			return r.reject(ctx, o.Line, ReasonUnreadable)
		}
		return r.record(ctx, d, o.Line, m)
	})
}

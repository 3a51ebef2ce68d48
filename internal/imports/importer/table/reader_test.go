package table_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"kith/internal/imports/importer/table"
	"kith/internal/test/expect"
)

func rows(text string) (all []string) {
	t := table.NewReader(strings.NewReader(text), ',')
	for {
		row, err := t.Next()
		if err != nil {
			return all
		}
		line := strings.Join(row.Cells, "¦")
		if row.Problem != "" {
			line += " !" + row.Problem
		}
		all = append(all, line)
	}
}

func TestReaderSplitsTables(t *testing.T) {
	for in, want := range map[string][]string{
		"a,b\n1,2\n":              {"a¦b", "1¦2"},
		"a,b\r\n1,2":              {"a¦b", "1¦2"},
		"\n\n , \na,b\n":          {" ¦ ", "a¦b"},
		`"a,b","c""d"`:            {`a,b¦c"d`},
		"\"a\nb\",c\nd,e\n":       {"a\nb¦c", "d¦e"},
		`a "b" c,d`:               {`a "b" c¦d`},
		`"a "b" c",d`:             {`a "b" c¦d`},
		"\"Acme\" Inc,x\ny,z\n":   {"Acme Inc¦x", "y¦z"},
		`"a" , "b"`:               {"a ¦b"},
		"a,\"b\nc,d\ne,f\n":       {"a¦\"b !" + table.OpenQuote, "c¦d", "e¦f"},
		`a,""`:                    {"a¦"},
		`"",""`:                   {"¦"},
		`"""a""",b`:               {`"a"¦b`},
		"a,b,\n":                  {"a¦b¦"},
		"a\n\"":                   {"a", "\" !" + table.OpenQuote},
		`"5' 10"" tall",x`:        {`5' 10" tall¦x`},
		"a,\"x\r\ny\"\r\nb,c\r\n": {"a¦x\r\ny", "b¦c"},
	} {
		if got := rows(in); !slices.Equal(got, want) {
			t.Errorf("%q is %q, not %q", in, got, want)
		}
	}
}

// After many quotation marks that are never closed, no more is searched for their ends: rows are lines then.
func TestReaderGivesUpQuotationMarks(t *testing.T) {
	got := rows(strings.Repeat("\"a \"b\n", 101) + "c,\"d\n\ng,h")
	want := slices.Repeat([]string{`"a "b !` + table.OpenQuote}, 100)
	want = append(want, `"a "b !`+table.AllText, `c¦"d !`+table.AllText, "g¦h")
	if !slices.Equal(got, want) {
		t.Errorf("the rows are %q", got)
	}
}

// FuzzReader reads any table to its end. It takes no cell twice: all rows together are no longer than the text.
func FuzzReader(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", `"a""b",`, "\"", "a\n\"b", "\"a\" b,\"c\n", " \"a\"\n\"b\"\"", ",,,\n\n"} {
		f.Add(s, byte(','))
		f.Add(s, byte('\t'))
	}
	f.Fuzz(func(t *testing.T, text string, separator byte) {
		if separator == '"' || separator == '\n' || separator == '\r' {
			return
		}
		in := table.NewReader(strings.NewReader(text), separator)
		size, line := 0, int64(0)
		for {
			row, err := in.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			expect.NoError(t, err)
			if row.Line <= line {
				t.Fatalf("line %d comes after line %d", row.Line, line)
			}
			line = row.Line
			for _, c := range row.Cells {
				size += len(c)
			}
		}
		if size > len(text) {
			t.Errorf("the cells have %d bytes, the text %d", size, len(text))
		}
		table.Sniff([]byte(text), true, func(cells []string) int { return len(cells) })
	})
}

package strict_test

import (
	"fmt"
	"strings"
	"testing"

	"kith/http/strict"
)

// BenchmarkLargestList reads the largest list that a search takes.
func BenchmarkLargestList(b *testing.B) {
	var body strings.Builder
	body.WriteString(`{"people":[`)
	for i := range 50_000 {
		if i > 0 {
			body.WriteByte(',')
		}
		fmt.Fprintf(&body, `{"id":"https://social.example/in/person-number-%d","score":%d.5}`, i, i%10)
	}
	body.WriteString(`]}`)
	entry := &strict.Schema{Kinds: strict.Object | strict.String, MinLength: 1, Fields: []strict.Field{
		{Name: "id", Required: true, Schema: &strict.Schema{Kinds: strict.String, MaxLength: 500}},
		{Name: "score", Schema: &strict.Schema{Kinds: strict.Number}},
	}}
	s := &strict.Schema{Kinds: strict.Object, Fields: []strict.Field{
		{Name: "people", Schema: &strict.Schema{Kinds: strict.Array, Items: entry}},
	}}
	in := []byte(body.String())
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		v, err := strict.Parse(in)
		if err != nil || len(s.Check(&v)) > 0 {
			b.Fatal(err)
		}
	}
}

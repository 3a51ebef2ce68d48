package main

import (
	"bufio"
	"strings"
	"testing"

	"kith"
)

// A person is one line, whatever the record says, and steers no terminal.
func TestSummary(t *testing.T) {
	at := func(city, country string) kith.Location { return kith.Location{City: city, Country: country} }
	for want, p := range map[string]kith.Person{
		"Ann Lee · Berlin, Germany · https://social.example/in/ann": {
			FullName: "Ann Lee", Location: at("Berlin", "Germany"),
			SocialURL: "https://social.example/in/ann",
		},
		"Ann Lee":                  {FullName: "Ann\nLee"},
		"[31mAnn[2J Lee · Berlin":  {FullName: "\x1b[31mAnn\u009b[2J Lee\a", Location: at("Ber\x00lin", "")},
		"Ann eeL · a\u200db, محمد": {FullName: "Ann \u202eeeL", Location: at("a\u200db", "\u2067محمد\u2069")},
	} {
		if got := summary(p); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What a person can do for the user who asks for an introduction stands behind
// the person.
func TestIntroductionsPrinted(t *testing.T) {
	var out strings.Builder
	w := bufio.NewWriter(&out)
	record := `{"full_name":"Ann Lee","match":{"criteria":[],"network":{"degree":1,"introducers":[],"introduces":[
		{"person":{"id":1,"full_name":"Bob\nBell"},"score":8,"score_label":"very_good"},{"person":{"id":2,"full_name":"Cid Cole"},"score":0,"score_label":""}]}}}`
	if err := (&searchCmd{}).person(w, []byte(record)); err != nil {
		t.Fatal(err)
	}
	if want := "Ann Lee · can introduce you to Bob Bell (very good), Cid Cole\n"; out.String() != want {
		t.Errorf("printed %q, not %q", out.String(), want)
	}
}

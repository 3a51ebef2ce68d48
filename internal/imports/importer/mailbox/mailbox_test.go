package mailbox_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"kith/internal/imports/importer/mailbox"
)

// Bodies are skipped, even if they look like the start of a message.
func TestBodiesAreSkipped(t *testing.T) {
	box := mailbox.NewReader(strings.NewReader("From a Mon Jan 06 10:00:00 2025\nFrom: a@example.com\nTo: " +
		"b@example.com\nDate: Mon, 06 Jan 2025 10:00:00 +0000\n\nFrom here on\n\nFrom here at 10:00 too late\nFrom: " +
		"c@example.com\n\nend\n"))
	n := 0
	for {
		m, err := box.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if n++; err != nil || m.From == nil || m.From.Address != "a@example.com" {
			t.Errorf("message: %+v, %v", m, err)
		}
	}
	if n != 1 {
		t.Errorf("%d messages, not 1", n)
	}
}

// FuzzReader reads any input to its end.
func FuzzReader(f *testing.F) {
	for _, s := range []string{
		"From: a@b.c\nTo: d@e.f\nDate: Mon, 06 Jan 2025 10:00:00 +0000\n\nx",
		"From a Mon Jan 06 10:00:00 2025\n\n", "From \n", ":\n", " \n \n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		box := mailbox.NewReader(strings.NewReader(text))
		for n := 0; ; n++ {
			_, err := box.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil || n > len(text)+1 {
				t.Fatal(err, n)
			}
		}
	})
}

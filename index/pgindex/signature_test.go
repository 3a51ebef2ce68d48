package pgindex

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kith/query"
)

// newSignature is the signature of a document with these terms.
func newSignature(terms []string) []byte {
	signature := make([]byte, signatureBytes)
	for _, t := range terms {
		addToSignature(signature, t)
	}
	return signature
}

// has tests a bit of a signature as get_bit does.
func has(signature []byte, term string) bool {
	for _, bit := range signatureBits(term) {
		if signature[bit/8]>>(bit%8)&1 == 0 {
			return false
		}
	}
	return true
}

func TestSignatureHasEveryTerm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := rapid.SliceOf(rapid.String()).Draw(t, "terms")
		signature := newSignature(terms)
		for _, term := range terms {
			if !has(signature, term) {
				t.Fatalf("%q is not in the signature of %q", term, terms)
			}
		}
	})
}

// The expected rate is in the comment on signatureProbes.
func TestSignatureHasFewFalsePositives(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	terms := make([]string, 150)
	for i := range terms {
		terms[i] = fmt.Sprintf("skills:%d", random.Uint64())
	}
	signature, seem := newSignature(terms), 0
	for range 10_000 {
		if has(signature, fmt.Sprintf("skills:%d", random.Uint64())) {
			seem++
		}
	}
	if seem == 0 || seem > 10_000/12 {
		t.Errorf("%d of 10,000 absent terms seem present, want about one in 15", seem)
	}
}

// A condition that no document can meet needs no look at the signature.
func TestImpossibleConditionsSkipTheSignature(t *testing.T) {
	w, s := &writer{}, documents("people")
	for _, q := range []query.Query{
		query.Terms{Field: query.City, Values: []string{"\x00"}},
		query.Term{Field: query.City, Value: "\x00"},
		query.Or{},
		query.None{},
	} {
		if got := w.columnCheck(q, s); strings.Trim(got, "()") != "FALSE" {
			t.Errorf("%v: got %s, want FALSE", q, got)
		}
	}
}

// The signatures in an index outlive the version of Kith that wrote them.
func TestSignatureStaysTheSame(t *testing.T) {
	for term, want := range map[string]string{"city:london": "[766 354]", "skills:go": "[453 216]"} {
		if got := fmt.Sprint(signatureBits(term)); got != want {
			t.Errorf("%s: bits %s, want %s: existing signatures would become wrong", term, got, want)
		}
	}
}

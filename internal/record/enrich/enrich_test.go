package enrich_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"kith"
	"kith/internal/record/enrich"
	"kith/internal/test/expect"
)

// records are people by the key of their profile or by another identifier, and a source that finds more of them.
type records struct {
	mu         sync.Mutex
	people     map[string]kith.Person
	suppressed map[string]bool
	down       error
	// atSource are the answers of the source by profile URL: a nil error stores the person. asked are its requests.
	atSource map[string]error
	asked    []string
}

func (r *records) ByProfile(_ context.Context, _ kith.Viewer, keys []string) (map[string]kith.Person, error) {
	return r.among(keys)
}

func (r *records) ByIdentifier(_ context.Context, _ kith.Viewer, identifiers []string) (map[string]kith.Person, error) {
	return r.among(identifiers)
}

func (r *records) among(keys []string) (map[string]kith.Person, error) {
	found := map[string]kith.Person{}
	for _, key := range keys {
		if p, ok := r.people[key]; ok {
			found[key] = p
		}
	}
	return found, r.down
}

func (r *records) Suppressed(context.Context, []string) (map[string]bool, error) {
	return r.suppressed, nil
}

func (r *records) Find(_ context.Context, profileURL string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, profileURL)
	err, known := r.atSource[profileURL]
	switch {
	case !known:
		return kith.Errorf(kith.NotFound, "NOT_AT_SOURCE", "unknown there")
	case err == nil:
		r.people[strings.TrimPrefix(profileURL, "https://")] = kith.Person{FullName: "Found"}
	case err.Error() == "panic":
		panic(err)
	}
	return err
}

// The source is asked once about each profile that is neither stored nor suppressed, and about nothing else.
func TestSourceIsAskedAboutUnknownProfilesOnly(t *testing.T) {
	r := &records{
		people: map[string]kith.Person{
			"social.example/in/jane": {FullName: "Jane"}, "social.example/in/erased": {FullName: "Erased"},
			"jane@example.com": {FullName: "Jane"}, "7": {FullName: "Seven"},
		},
		suppressed: map[string]bool{"social.example/in/erased": true, "social.example/in/refused": true},
		atSource:   map[string]error{"https://social.example/in/new": nil},
	}
	asked := []string{
		"https://social.example/in/new", "https://social.example/in/jane", "jane@example.com", "nobody@example.com",
		"7",
		"8", "http://www.social.example/in/NEW/", "https://social.example/in/erased", "social.example/in/refused",
		"social.example/in/strange", "https://social.example", "ftp://social.example/in/jane", "jane",
		"social.example/in/strange",
	}
	results, err := enrich.New(r, r).Bulk(t.Context(), kith.Public(), asked)
	expect.NoError(t, err)
	want := []string{
		"Found", "Jane", "Jane", "PERSON_NOT_FOUND", "Seven", "PERSON_NOT_FOUND", "Found", "PERSON_SUPPRESSED",
		"PERSON_SUPPRESSED", "PERSON_NOT_FOUND", "INVALID_URL", "INVALID_URL", "INVALID_URL", "PERSON_NOT_FOUND",
	}
	for i, r := range results {
		if got := r.Person.FullName; r.Err == nil && got != want[i] || r.Err != nil && r.Err.Code != want[i] {
			t.Errorf("%s is %q, %v, want %s", asked[i], got, r.Err, want[i])
		}
	}
	slices.Sort(r.asked)
	if !slices.Equal(r.asked, []string{"https://social.example/in/new", "https://social.example/in/strange"}) {
		t.Errorf("the source was asked about %q", r.asked)
	}
	// Without a source, the same person is unknown.
	delete(r.people, "social.example/in/new")
	if p, err := enrich.New(r, nil).Person(t.Context(), kith.Public(), asked[0]); kith.KindOf(err) != kith.NotFound {
		t.Errorf("without a source: %+v, %v", p, err)
	}
}

// Callers can tell a source that does not know a profile from one that may know it later. Its internal errors stay in
// the log.
func TestSourceFailuresAreTranslated(t *testing.T) {
	secret := errors.New("dial tcp 10.0.0.1: refused")
	for name, c := range map[string]struct {
		err  error
		kind kith.Kind
		code string
	}{
		"unknown":  {kith.Errorf(kith.NotFound, "NOT_AT_SOURCE", "unknown there"), kith.NotFound, "PERSON_NOT_FOUND"},
		"unusable": {&kith.Error{Kind: kith.Invalid, Code: "REFUSED", Cause: secret}, kith.NotFound, "REFUSED"},
		"busy":     {&kith.Error{Kind: kith.RateLimited, Code: "BUSY", Cause: secret}, kith.RateLimited, "BUSY"},
		"wrapped":  {fmt.Errorf("source: %w", kith.Errorf(kith.Timeout, "SLOW", "")), kith.Timeout, "SLOW"},
		"other":    {secret, kith.Unavailable, "SOURCE_UNAVAILABLE"},
		"a defect": {errors.New("panic"), kith.Unavailable, "SOURCE_UNAVAILABLE"},
	} {
		const profile = "https://social.example/in/jane"
		r := &records{people: map[string]kith.Person{}, atSource: map[string]error{profile: c.err}}
		_, err := enrich.New(r, r).Person(t.Context(), kith.Public(), profile)
		e, ok := errors.AsType[*kith.Error](err)
		if !ok || e.Kind != c.kind || e.Code != c.code || strings.Contains(e.Detail, "10.0.0.1") {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
}

// A request that ends early, or records that cannot be read, say nothing about any person.
func TestUnansweredRequestsHaveNoResults(t *testing.T) {
	const profile = "https://social.example/in/new"
	r := &records{people: map[string]kith.Person{}, atSource: map[string]error{profile: nil}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if results, err := enrich.New(r, r).Bulk(ctx, kith.Public(), []string{profile}); results != nil ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("a canceled request: %v, %v", results, err)
	}
	r.down = errors.New("no connection")
	for _, asked := range []string{profile, "jane@example.com"} {
		if results, err := enrich.New(r, r).Bulk(t.Context(), kith.Public(), []string{asked}); results != nil ||
			!errors.Is(err, r.down) {
			t.Errorf("%s while the records are away: %v, %v", asked, results, err)
		}
	}
}

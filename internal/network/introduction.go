package network

import (
	"cmp"
	"context"
	"strings"

	"kith"
)

// IntroductionRequest is a message in which the caller asks an introducer for an introduction to a person. The caller
// sends it.
type IntroductionRequest struct {
	Introducer    kith.Person
	Subject, Text string
}

// IntroductionRequest writes to the given introducer, or for 0 to the strongest. If there is none, it returns a
// Conflict: KNOWN_DIRECTLY if the caller knows the target, else NO_INTRODUCER. An unknown target or introducer is
// NotFound.
func (r *Reach) IntroductionRequest(ctx context.Context, v kith.Viewer, target, introducer int64,
) (IntroductionRequest, error) {
	to, err := r.Person(ctx, v, target)
	if err != nil {
		return IntroductionRequest{}, err
	}
	for _, way := range to.Ways {
		if way.Introducer != nil && (introducer == 0 || way.Introducer.ID == introducer) {
			return ask(*way.Introducer, to.Person, way.Theirs), nil
		}
	}
	if introducer == 0 {
		return IntroductionRequest{}, noIntroducer(to)
	}
	people, err := r.records.People(ctx, v, []int64{introducer})
	if err == nil && len(people) == 0 {
		err = kith.Errorf(kith.NotFound, "PERSON_NOT_FOUND", "there is no person %d; choose another introducer",
			introducer)
	}
	if err != nil {
		return IntroductionRequest{}, err
	}
	return ask(people[0].Result(), to.Person, nil), nil
}

func noIntroducer(to Target) error {
	if len(to.Ways) > 0 {
		return kith.Errorf(kith.Conflict, "KNOWN_DIRECTLY", "you know %s yourself: write to them", to.Person.FullName)
	}
	return kith.Errorf(kith.Conflict, "NO_INTRODUCER", "no one you know can introduce you to %s", to.Person.FullName)
}

// ask writes the message; theirs explains how the introducer knows the target.
func ask(introducer, target kith.Person, theirs []Reason) IntroductionRequest {
	who := target.FullName
	if job := target.WorkRelevant; job != nil && job.Company.Name != "" {
		who += ", " + strings.TrimPrefix(job.Title+" at "+job.Company.Name, " at ")
	}
	know := "I think that you know each other."
	if len(theirs) > 0 {
		know = theirs[0].Sentence
	}
	return IntroductionRequest{
		Introducer: introducer, Subject: "Could you introduce me to " + target.FullName + "?",
		Text: "Hi " + cmp.Or(introducer.FirstName, introducer.FullName) + ",\n\nI would like to get to know " + who +
			". " +
			know + "\n\nWould you introduce us? I am happy to send you a few lines that you can forward.\n\nThank you!",
	}
}

package network

import (
	"cmp"
	"context"
	"strings"

	"kith"
)

// IntroductionRequest is a message that asks somebody to introduce the caller to a person. It is sent by the caller.
type IntroductionRequest struct {
	Introducer    kith.Person
	Subject, Text string
}

// IntroductionRequest writes to an introducer: the one of an id, or for 0 the strongest. Where the caller knows the
// target and nobody can introduce them, or nobody can at all, it is a Conflict.
func (r *Reach) IntroductionRequest(ctx context.Context, a kith.Actor, target, introducer int64,
) (IntroductionRequest, error) {
	to, err := r.Person(ctx, a, target)
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
	people, err := r.records.People(kith.WithActor(ctx, a), []int64{introducer})
	if err == nil && len(people) == 0 {
		err = kith.Errorf(kith.NotFound, "PERSON_NOT_FOUND", "there is no person %d who could introduce you", introducer)
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
	return kith.Errorf(kith.Conflict, "NO_INTRODUCER", "nobody you know can introduce you to %s", to.Person.FullName)
}

// ask writes the message; theirs is why the introducer knows the target.
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
		Text: "Hi " + cmp.Or(introducer.FirstName, introducer.FullName) + ",\n\nI would like to get to know " + who + ". " +
			know + "\n\nWould you introduce us? I am happy to send you a few lines that you can forward.\n\nThank you!",
	}
}

package search

import (
	"context"
	"fmt"
	"strings"

	"kith"
	"kith/index"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
)

// careers returns the check of timelines for the index: it evaluates them on people's present records. It reads as the
// operator, because the index only checks people who match a query that is restricted to what the viewer may see.
func careers(records Records) index.Check {
	return func(ctx context.Context, people []int64, timelines []query.Timeline) (map[int64][]bool, error) {
		found, err := records.People(ctx, kith.Operator(), people)
		if err != nil {
			return nil, fmt.Errorf("reading careers: %w", err)
		}
		answers := make(map[int64][]bool, len(found))
		for _, p := range found {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			doc, err := analysis.CareerDocument(p)
			if err != nil {
				continue // a record that cannot be analysed satisfies nothing
			}
			answers[p.ID] = kith.Each(timelines, func(t query.Timeline) bool { return indexed.Match(doc, t) })
		}
		return answers, nil
	}
}

// careerEvidence returns the jobs that satisfy a timeline, in the order of its steps.
func careerEvidence(t query.Timeline, p kith.Person, doc indexed.Document) string {
	by, holds := indexed.ByJobs(doc, t)
	m, err := makeMember(p, doc)
	if !holds || err != nil {
		return ""
	}
	var texts []string
	for _, job := range by {
		if all := m.jobs[job.Path]; job.Index < len(all) {
			texts = append(texts, jobText(all[job.Index]))
		}
	}
	return strings.Join(distinct(texts), "; ")
}

package search

import (
	"context"
	"fmt"
	"strings"

	"kith"
	"kith/index"
	"kith/index/analysis"
	"kith/index/memindex"
	"kith/query"
)

// careers is what the index checks people by: their present records.
func careers(records Records) index.Check {
	return func(ctx context.Context, people []int64, timelines []query.Timeline) (map[int64][]bool, error) {
		found, err := records.People(ctx, people)
		if err != nil {
			return nil, fmt.Errorf("reading careers: %w", err)
		}
		answers := make(map[int64][]bool, len(found))
		for _, p := range found {
			doc, err := analysis.CareerDocument(p)
			if err != nil {
				continue // nothing can be said of a record that cannot be analysed
			}
			holds := make([]bool, len(timelines))
			for i, t := range timelines {
				holds[i] = memindex.Match(doc, t)
			}
			answers[p.ID] = holds
		}
		return answers, nil
	}
}

// careerEvidence are the jobs by which a timeline holds, in the order of its steps.
func careerEvidence(t query.Timeline, p kith.Person, doc index.Document) string {
	by, holds := memindex.ByJobs(doc, t)
	m, err := memberOf(p, doc)
	if !holds || err != nil {
		return ""
	}
	var texts []string
	for _, job := range by {
		if all := m.jobs[job.Path]; job.Place < len(all) {
			texts = append(texts, jobText(all[job.Place]))
		}
	}
	return strings.Join(distinct(texts), "; ")
}

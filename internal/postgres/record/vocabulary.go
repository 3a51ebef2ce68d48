package record

import (
	"context"
	"unicode/utf8"

	"kith"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	"kith/query/prompt"
)

var _ prompt.Vocabulary = Vocabulary{}

// mostCandidates is how many terms are compared with a given one: the most frequent ones.
const mostCandidates = 1_000

// Known implements [prompt.Vocabulary]. If a term shares its keys with more than 1,000 others of
// its length, it may miss rare near terms.
func (db Vocabulary) Known(ctx context.Context, viewer kith.Viewer, terms, near []string) ([]prompt.Known, error) {
	exact, nearby := prompt.LimitTerms(terms, near)
	if len(exact) == 0 {
		return nil, nil
	}
	seen, err := access.VisibleOwners(ctx, db.Querier(), viewer)
	if err != nil {
		return nil, err
	}
	keys, shortest, longest := make([]string, len(nearby)), make([]int32, len(nearby)), make([]int32, len(nearby))
	for i, asked := range nearby {
		keys[i] = conn.ArrayText(askedKeys(asked))
		n, most := utf8.RuneCountInString(asked), prompt.MostEdits(asked)
		shortest[i], longest[i] = int32(n-most), int32(n+most)
	}
	var found []prompt.Known
	var k prompt.Known
	err = conn.ForEach(ctx, db.Querier(), "vocabulary", []any{&k.Kind, &k.Term, &k.People, &k.For}, func() error {
		var near bool
		if k.Distance, near = prompt.Near(k.For, k.Term); near && prompt.HasNear(k.Kind, k.Term) || k.For == k.Term {
			found = append(found, k)
		}
		return nil
	}, `select v.kind, v.term, sum(v.people)::int, v.term from vocabulary v
		where v.term = any($1::text[]) and ($7::text[] is null or v.owner = any($7)) group by v.kind, v.term
		union all
		select n.kind, n.term, n.people, asked.term
		from unnest($2::text[], $3::text[], $4::int[], $5::int[]) as asked (term, keys, shortest, longest)
		cross join lateral (
			select v.kind, v.term, sum(v.people)::int as people
			from vocabulary_spelling s join vocabulary v on v.term = s.term
			where s.keys && asked.keys::int[] and char_length(s.term) between asked.shortest and asked.longest
				and left(s.term, 1) = left(asked.term, 1) and s.term <> asked.term
				and ($7::text[] is null or v.owner = any($7))
			group by v.kind, v.term
			order by 3 desc, v.term, v.kind limit $6) n`,
		exact, nearby, keys, shortest, longest, mostCandidates, []string(seen))
	return prompt.Choose(found), err
}

// VocabularySize is the number of terms in the dataset.
func (db Vocabulary) VocabularySize(ctx context.Context) (int64, error) {
	return conn.Value[int64](ctx, db.Querier(), "vocabulary", "select count(*) from vocabulary")
}

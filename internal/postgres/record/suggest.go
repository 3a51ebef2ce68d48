package record

import (
	"cmp"
	"context"
	"strings"
	"unicode/utf8"

	"kith"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	"kith/internal/search/suggest"
	"kith/query/analysis"
)

var _ suggest.Vocabulary = Vocabulary{}

// afterAllTerms sorts after any letter; it ends a range of terms.
const afterAllTerms = "\U0010FFFF"

// overfetch is how many times the wanted terms are read, because some do not match and others are duplicates.
const overfetch = 4

// Starting implements [suggest.Vocabulary].
func (db Vocabulary) Starting(ctx context.Context, v kith.Viewer, asked suggest.Lookup) ([]suggest.Term, error) {
	kinds := make([]string, len(asked.Kinds))
	for i, k := range asked.Kinds {
		kinds[i] = string(k)
	}
	read := db.readBeginnings
	if asked.Typos {
		read = db.nearBeginnings
	}
	seen, err := access.VisibleOwners(ctx, db.Querier(), v)
	if err != nil {
		return nil, err
	}
	found, err := read(ctx, asked.Texts, kinds, seen, asked.Limit*overfetch)
	return suggest.Choose(asked, sumOwners(found)), err
}

// ownedTerm is a term in the records of one owner.
type ownedTerm struct {
	suggest.Term
	owner string
}

// sumOwners adds up the counts of a term over owners and drops duplicates.
func sumOwners(found []ownedTerm) []suggest.Term {
	type key struct {
		analysis.Term
		typed string
	}
	position, counted := map[key]int{}, map[key]map[string]bool{}
	var out []suggest.Term
	for _, t := range found {
		k := key{t.Term.Term, t.For}
		i, there := position[k]
		switch {
		case !there:
			position[k], counted[k] = len(out), map[string]bool{}
			out = append(out, t.Term)
		case !counted[k][t.owner]:
			out[i].People += t.People
			out[i].Written = cmp.Or(out[i].Written, t.Written)
		}
		counted[k][t.owner] = true
	}
	return out
}

// readBeginnings reads terms that begin with one of the texts, and those with a later word that does.
func (db Vocabulary) readBeginnings(
	ctx context.Context,
	texts, kinds, owners []string,
	limit int,
) ([]ownedTerm, error) {
	var from, to, of, inside, words []string
	add := func(text, first, past string) { from, to, of = append(from, first), append(to, past), append(of, text) }
	for _, text := range texts {
		add(text, text, text+afterAllTerms)
		// the last word is complete, so the term may end there
		if whole := strings.TrimSuffix(text, " "); whole != text {
			add(text, whole, whole+" ")
			add(text, whole+"|", whole+"|"+afterAllTerms)
		}
		if suggest.Inside(text) {
			inside, words = append(inside, text), append(words, wordsQuery(text))
		}
	}
	found, err := db.terms(ctx, `with asked (text, first, past) as (
			select * from unnest($1::text[], $2::text[], $3::text[]))
		select asked.text, n.* from asked cross join lateral (
			select kind, term, coalesce(text, ''), people, owner from vocabulary v
			where v.term >= asked.first collate "C" and v.term < asked.past collate "C" and v.kind = any($4)
				and ($6::text[] is null or v.owner = any($6))
			order by split_part(v.term, '|', 1) = rtrim(asked.text) desc, v.people desc, v.term limit $5) n`,
		of, from, to, kinds, limit, owners)
	if err != nil || len(inside) == 0 {
		return found, err
	}
	more, err := db.terms(ctx, `with asked (text, words) as (select * from unnest($1::text[], $2::text[]))
		select asked.text, n.* from asked cross join lateral (
			select kind, term, coalesce(text, ''), people, owner from vocabulary v
			where array_to_tsvector(string_to_array(v.term, ' ')) @@ asked.words::tsquery and v.term like '% %'
				and v.kind = any($3) and ($5::text[] is null or v.owner = any($5))
			order by v.people desc, v.term limit $4) n`, inside, words, kinds, limit, owners)
	return append(found, more...), err
}

// nearBeginnings reads terms that begin with one of the texts after one edit.
func (db Vocabulary) nearBeginnings(
	ctx context.Context,
	texts, kinds, owners []string,
	limit int,
) ([]ownedTerm, error) {
	var found []ownedTerm
	for _, text := range texts {
		patterns := suggest.TypoPatterns(text)
		if len(patterns) == 0 {
			continue
		}
		_, size := utf8.DecodeRuneInString(text)
		terms, err := db.terms(ctx, `select $1::text, kind, term, coalesce(text, ''), people, owner from vocabulary
			where term >= $2 collate "C" and term < $3 collate "C" and kind = any($4) and term like any ($5::text[])
				and not starts_with(term, $1) and ($7::text[] is null or owner = any($7))
			order by people desc,
			term limit $6`, text, text[:size], text[:size]+afterAllTerms, kinds, patterns, limit, owners)
		if err != nil {
			return nil, err
		}
		found = append(found, terms...)
	}
	return found, nil
}

func (db Vocabulary) terms(ctx context.Context, sql string, args ...any) (found []ownedTerm, err error) {
	var t ownedTerm
	err = conn.ForEach(ctx, db.Querier(), "complete", []any{&t.For, &t.Kind, &t.Text, &t.Written, &t.People, &t.owner},
		func() error {
			found = append(found, t)
			return nil
		}, sql, args...)
	return found, err
}

// wordsQuery matches terms with all words of a text, the last one as a prefix unless a space ends it.
func wordsQuery(text string) string {
	quoted := strings.NewReplacer(`'`, `''`, `\`, `\\`)
	words := strings.Fields(text)
	for i, word := range words {
		words[i] = "'" + quoted.Replace(word) + "'"
	}
	if !strings.HasSuffix(text, " ") {
		words[len(words)-1] += ":*"
	}
	return strings.Join(words, " & ")
}

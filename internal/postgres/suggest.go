package postgres

import (
	"context"
	"strings"
	"unicode/utf8"

	"kith/internal/suggest"
)

var _ suggest.Vocabulary = (*DB)(nil)

// pastAll is more than any letter, so that a range of terms ends before it.
const pastAll = "\U0010FFFF"

// overfetched is how many times the terms that are wanted are read: some do not match, others are found twice.
const overfetched = 4

// Starting implements [suggest.Vocabulary].
func (db *DB) Starting(ctx context.Context, asked suggest.Asked) ([]suggest.Term, error) {
	kinds := make([]string, len(asked.Kinds))
	for i, k := range asked.Kinds {
		kinds[i] = string(k)
	}
	read := db.beginnings
	if asked.Typos {
		read = db.nearBeginnings
	}
	var found []suggest.Term
	for _, text := range asked.Texts {
		terms, err := read(ctx, text, kinds, asked.Limit*overfetched)
		if err != nil {
			return nil, err
		}
		found = append(found, terms...)
	}
	return suggest.Choose(asked, found), nil
}

const termColumns = "select kind, term, coalesce(text, ''), people from "

// beginnings reads terms that begin with a text, and those in which a word does.
func (db *DB) beginnings(ctx context.Context, text string, kinds []string, limit int) ([]suggest.Term, error) {
	found, err := db.terms(ctx, text, termColumns+`vocabulary
		where term >= $1 collate "C" and term < $2 collate "C" and kind = any($3)
		order by split_part(term, '|', 1) = rtrim($1) desc, people desc, term limit $4`, text, text+pastAll, kinds, limit)
	if err != nil || !suggest.Inside(text) {
		return found, err
	}
	inside, err := db.terms(ctx, text, termColumns+`vocabulary
		where array_to_tsvector(string_to_array(term, ' ')) @@ $1::text::tsquery and term like '% %' and kind = any($2)
		order by people desc, term limit $3`, wordsQuery(text), kinds, limit)
	return append(found, inside...), err
}

// nearBeginnings reads terms that begin with a text but for one edit.
func (db *DB) nearBeginnings(ctx context.Context, text string, kinds []string, limit int) ([]suggest.Term, error) {
	patterns := suggest.TypoPatterns(text)
	if len(patterns) == 0 {
		return nil, nil
	}
	_, size := utf8.DecodeRuneInString(text)
	return db.terms(ctx, text, termColumns+`vocabulary
		where term >= $1 collate "C" and term < $2 collate "C" and kind = any($3) and term like any ($4::text[]) and not starts_with(term, $6)
		order by people desc, term limit $5`, text[:size], text[:size]+pastAll, kinds, patterns, limit, text)
}

func (db *DB) terms(ctx context.Context, text, sql string, args ...any) (found []suggest.Term, err error) {
	t := suggest.Term{For: text}
	err = forEach(ctx, db.pool, "complete", []any{&t.Kind, &t.Text, &t.Written, &t.People}, func() error {
		found = append(found, t)
		return nil
	}, sql, args...)
	return found, err
}

// wordsQuery asks for terms with all words of a text, the last as a beginning unless a space ends it.
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

package record

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres/conn"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/query/analysis"
	"kith/query/prompt"
)

// vocabularyTables is the pair of tables that store a vocabulary: the end of their names.
type vocabularyTables string

const (
	vocabularyInUse vocabularyTables = ""
	vocabularyBuilt vocabularyTables = "_next"
)

func (v vocabularyTables) terms() string    { return "vocabulary" + string(v) }
func (v vocabularyTables) spelling() string { return "vocabulary_spelling" + string(v) }

// lockVocabulary serialises writers of the vocabulary until their transactions end. A person who is counted and deleted
// concurrently is therefore either counted and then removed, or neither.
func (db Vocabulary) lockVocabulary(ctx context.Context, tx pgx.Tx) error {
	return db.LockInTx(ctx, tx, "vocabulary")
}

// building reports whether another vocabulary is under construction.
func building(ctx context.Context, tx pgx.Tx) (bool, error) {
	return conn.HasMark(ctx, tx, conn.SettingVocabularyBuilding)
}

// addTerms adds the terms of records to the vocabulary in use, and to one under construction. The caller has locked the
// vocabulary.
func addTerms(ctx context.Context, tx pgx.Tx, terms []indexer.RecordTerms) error {
	if len(terms) == 0 {
		return nil
	}
	terms, err := dropDeleted(ctx, tx, terms)
	if err != nil {
		return err
	}
	also, err := building(ctx, tx)
	if err != nil {
		return err
	}
	for _, t := range tallyByOwner(terms) {
		if err := t.write(ctx, tx, vocabularyInUse); err != nil {
			return err
		}
		if !also {
			continue
		}
		// The copy counts the people that it finds, now or later. Here, only make sure that no term is missing.
		t.uncount()
		if err := t.write(ctx, tx, vocabularyBuilt); err != nil {
			return err
		}
	}
	return nil
}

// tallyByOwner returns the tallies of records by owner, in order.
func tallyByOwner(terms []indexer.RecordTerms) []tally {
	of := map[string][]indexer.RecordTerms{}
	for _, h := range terms {
		of[h.Owner] = append(of[h.Owner], h)
	}
	var out []tally
	for _, owner := range slices.Sorted(maps.Keys(of)) {
		t := newTally(of[owner])
		t.owner = owner
		out = append(out, t)
	}
	return out
}

// dropDeleted drops people deleted since they were read.
func dropDeleted(ctx context.Context, tx pgx.Tx, terms []indexer.RecordTerms) ([]indexer.RecordTerms, error) {
	var ids []int64
	for _, h := range terms {
		if h.Kind == record.People {
			ids = append(ids, h.ID)
		}
	}
	if len(ids) == 0 {
		return terms, nil
	}
	gone, err := conn.Collect(ctx, tx, "deleted people", pgx.RowTo[int64],
		"select k from unnest($1::bigint[]) k where not exists (select from people p where p.id = k)", ids)
	if err != nil || len(gone) == 0 {
		return terms, err
	}
	return slices.DeleteFunc(slices.Clone(terms), func(h indexer.RecordTerms) bool {
		return h.Kind == record.People && slices.Contains(gone, h.ID)
	}), nil
}

// tally is how many people to add to terms. The terms in seen only have to exist: a new term gets that many people, an
// existing one keeps its number.
type tally struct {
	counted, seen map[analysis.Term]int32
	// from are the records that the terms come from; owner is their owner.
	from  []indexer.RecordTerms
	owner string
}

func newTally(terms []indexer.RecordTerms) tally {
	t := tally{counted: map[analysis.Term]int32{}, seen: map[analysis.Term]int32{}, from: terms}
	for _, h := range terms {
		to, n := t.seen, int32(1)
		if h.Fresh {
			to = t.counted
		}
		if h.Kind == record.Companies {
			to, n = t.seen, 0
		}
		for _, term := range h.Terms {
			to[term] += n
		}
	}
	return t
}

// uncount moves all terms from counted to seen.
func (t tally) uncount() {
	for term, n := range t.counted {
		t.seen[term] += n
	}
	clear(t.counted)
}

// write adds the tally to a pair of tables, in the order of terms, so that the index is written sequentially.
func (t tally) write(ctx context.Context, tx pgx.Tx, to vocabularyTables) error {
	added, err := put(ctx, tx, to, t.owner, t.counted, "do update set people = v.people + excluded.people")
	if err != nil {
		return err
	}
	more, err := put(ctx, tx, to, t.owner, t.seen, "do nothing")
	if err != nil {
		return err
	}
	added = append(added, more...)
	if len(added) == 0 {
		return nil
	}
	if err := putSpelling(ctx, tx, to, correctableTexts(added)); err != nil {
		return err
	}
	if err := putTexts(ctx, tx, to, t.owner, t.texts(added)); err != nil {
		return err
	}
	return reviseTerms(ctx, tx)
}

// correctableTexts returns the texts of terms that misspellings can find.
func correctableTexts(terms []analysis.Term) []string {
	var texts []string
	for _, t := range terms {
		if prompt.HasNear(t.Kind, t.Text) {
			texts = append(texts, t.Text)
		}
	}
	return texts
}

// texts returns the spelling of new terms in their records.
func (t tally) texts(added []analysis.Term) analysis.TermTexts {
	isNew := make(map[analysis.Term]bool, len(added))
	for _, term := range added {
		isNew[term] = true
	}
	out := analysis.TermTexts{}
	for _, r := range t.from {
		if r.Texts == nil || !slices.ContainsFunc(r.Terms, func(term analysis.Term) bool { return isNew[term] }) {
			continue
		}
		for term, text := range r.Texts() {
			if _, known := out[term]; isNew[term] && !known && text != term.Text {
				out[term] = text
			}
		}
	}
	return out
}

// putTexts stores the spelling of terms.
func putTexts(ctx context.Context, tx pgx.Tx, to vocabularyTables, owner string, texts analysis.TermTexts) error {
	if len(texts) == 0 {
		return nil
	}
	terms, kinds, written := columns(texts)
	return conn.Exec(ctx, tx, "texts of terms", `update `+to.terms()+` v set text = n.text
		from unnest($1::text[], $2::text[], $3::text[]) as n (term, kind, text)
		where v.term = n.term and v.kind = n.kind and v.owner = $4`, terms, kinds, written, owner)
}

// put upserts terms and returns the new ones.
func put(
	ctx context.Context, tx pgx.Tx, to vocabularyTables, owner string, counts map[analysis.Term]int32, conflict string,
) ([]analysis.Term, error) {
	if len(counts) == 0 {
		return nil, nil
	}
	terms, kinds, people := columns(counts)
	var added []analysis.Term
	var t analysis.Term
	// An inserted row, unlike an updated one, has no xmax.
	err := conn.ForEach(ctx, tx, "put terms", []any{&t.Kind, &t.Text}, func() error {
		added = append(added, t)
		return nil
	}, `with put as (
			insert into `+to.terms()+` as v (term, kind, people, owner)
			select *, $4::text from unnest($1::text[], $2::text[], $3::int[])
			on conflict (term, kind, owner) `+conflict+` returning term, kind, xmax = 0 as added)
		select kind, term from put where added`, terms, kinds, people, owner)
	return added, err
}

// columns returns terms and their values as arrays, in the order of terms.
func columns[V any](all map[analysis.Term]V) (terms, kinds []string, values []V) {
	for _, t := range slices.SortedFunc(maps.Keys(all), analysis.Term.Compare) {
		terms, kinds, values = append(terms, t.Text), append(kinds, string(t.Kind)), append(values, all[t])
	}
	return terms, kinds, values
}

// putSpelling adds the missing keys of terms.
func putSpelling(ctx context.Context, tx pgx.Tx, to vocabularyTables, added []string) error {
	slices.Sort(added)
	var terms, keys []string
	for _, term := range slices.Compact(added) {
		if k := spellingKeys(term); len(k) > 0 {
			terms, keys = append(terms, term), append(keys, conn.ArrayText(k))
		}
	}
	if len(terms) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `insert into `+to.spelling()+` (term, keys)
		select term, keys::int[] from unnest($1::text[], $2::text[]) as n (term, keys)
		on conflict do nothing`, terms, keys)
	return err
}

// forget removes people who are about to be deleted from the vocabulary, in the same transaction: it decrements each of
// their terms, and removes names, schools, skills and titles that nobody else has.
func (w vocabularyTx) forget(ctx context.Context, ids []int64) error {
	if err := (Vocabulary{w.db}).lockVocabulary(ctx, w.Tx); err != nil {
		return err
	}
	terms, err := w.readTerms(ctx, ids)
	if err != nil {
		return err
	}
	waiting, err := w.waiting(ctx, ids)
	if err != nil {
		return err
	}
	also, err := building(ctx, w.Tx)
	if err != nil {
		return err
	}
	for _, owner := range slices.Sorted(maps.Keys(terms)) {
		if err := vocabularyInUse.decrement(ctx, w.Tx, owner, sum(terms[owner], waiting)); err != nil {
			return err
		}
		if !also {
			continue
		}
		// It is unknown whether the copy has reached them. Removing too much is the lesser harm, and the next rebuild
		// counts again.
		if err := vocabularyBuilt.decrement(ctx, w.Tx, owner, sum(terms[owner], nil)); err != nil {
			return err
		}
	}
	return nil
}

// waiting returns the people who wait in the queue to be counted.
func (w vocabularyTx) waiting(ctx context.Context, ids []int64) ([]int64, error) {
	return conn.Collect(ctx, w.Tx, "people waiting to be counted", pgx.RowTo[int64],
		"select id from outbox where kind = $1 and fresh and id = any($2)", int16(record.People), ids)
}

// readTerms returns the terms of stored people by owner and id. Records that cannot be analysed have none.
func (w vocabularyTx) readTerms(ctx context.Context, ids []int64) (map[string]map[int64][]analysis.Term, error) {
	people, err := w.db.ReadPeople(ctx, w.Tx, ids)
	if err != nil {
		return nil, err
	}
	terms := map[string]map[int64][]analysis.Term{}
	for _, p := range people {
		if doc, err := analysis.Person(p.Person, p.Rank, p.Version); err == nil {
			if terms[p.Owner] == nil {
				terms[p.Owner] = map[int64][]analysis.Term{}
			}
			terms[p.Owner][p.Person.ID] = analysis.PersonTerms(p.Person, doc)
		}
	}
	return terms, nil
}

// sum counts the terms of all people except some.
func sum(terms map[int64][]analysis.Term, without []int64) map[analysis.Term]int32 {
	counts := map[analysis.Term]int32{}
	for id, of := range terms {
		if slices.Contains(without, id) {
			continue
		}
		for _, term := range of {
			counts[term]++
		}
	}
	return counts
}

// decrement decrements counts in a pair of tables. Terms of companies stay even if no one works there.
func (v vocabularyTables) decrement(ctx context.Context, tx pgx.Tx, owner string,
	counts map[analysis.Term]int32,
) error {
	if len(counts) == 0 {
		return nil
	}
	terms, kinds, people := columns(counts)
	kept := []string{string(analysis.TermCompany), string(analysis.TermIndustry), string(analysis.TermKeyword)}
	batch := &pgx.Batch{}
	batch.Queue(`update `+v.terms()+` v set people = greatest(v.people - n.people, 0)
		from unnest($1::text[], $2::text[], $3::int[]) as n (term, kind, people)
		where v.term = n.term and v.kind = n.kind and v.owner = $4`, terms, kinds, people, owner)
	batch.Queue(`delete from `+v.terms()+` v using unnest($1::text[], $2::text[]) as n (term, kind)
		where v.term = n.term and v.kind = n.kind and v.people = 0 and v.kind <> all ($3::text[])
			and v.owner = $4`,
		terms, kinds, kept, owner)
	batch.Queue(`delete from `+v.spelling()+` s where s.term = any($1::text[])
		and not exists (select from `+v.terms()+` v where v.term = s.term)`, terms)
	batch.Queue(conn.BumpSetting, conn.SettingTermsRevision)
	return tx.SendBatch(ctx, batch).Close()
}

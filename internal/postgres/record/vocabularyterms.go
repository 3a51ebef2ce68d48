package record

import (
	"context"

	"github.com/jackc/pgx/v5"

	"kith/index/semantic"
	"kith/internal/postgres/conn"
	"kith/query/analysis"
)

var _ semantic.Vocabulary = Vocabulary{}

// reviseTerms records that the set of terms changes.
func reviseTerms(ctx context.Context, tx pgx.Tx) error {
	return conn.Exec(ctx, tx, "revise terms", conn.BumpSetting, conn.SettingTermsRevision)
}

// TermsRevision implements [semantic.Vocabulary].
func (db Vocabulary) TermsRevision(ctx context.Context) (int64, error) {
	return conn.Value[int64](ctx, db.Querier(), "terms revision",
		"select coalesce((select value::bigint from settings where key = $1), 0)", conn.SettingTermsRevision)
}

// CommonTerms implements [semantic.Vocabulary].
func (db Vocabulary) CommonTerms(ctx context.Context, kind analysis.TermKind, limit int) ([]semantic.Term, error) {
	return conn.Collect(ctx, db.Querier(), "common terms", func(row pgx.CollectableRow) (semantic.Term, error) {
		t := semantic.Term{Term: analysis.Term{Kind: kind}}
		return t, row.Scan(&t.Text, &t.People)
	}, "select term, people from vocabulary where kind = $1 and owner = '' order by people desc, term limit $2",
		string(kind), limit)
}

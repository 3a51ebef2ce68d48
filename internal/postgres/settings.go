package postgres

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const (
	settingSealingKey = "sealing_key"
	settingRankEpoch  = "rank_epoch"
	settingBuilt      = "index_built"
	settingClaimed    = "index_claimed"
	// settingWordsBuilding is there while a vocabulary is being built.
	settingWordsBuilding = "vocabulary_building"
)

// SealingKey returns the 32 random bytes that this directory seals cursors and
// other opaque tokens with. They are made on first use and never change.
func (db *DB) SealingKey(ctx context.Context) ([]byte, error) {
	fresh := make([]byte, 32)
	_, _ = rand.Read(fresh) // never fails: see crypto/rand
	var text string
	// The insert of whoever came first is what everyone then reads.
	_, err := db.pool.Exec(ctx, "insert into settings (key, value) values ($1, to_jsonb($2::text)) on conflict (key) do nothing",
		settingSealingKey, base64.StdEncoding.EncodeToString(fresh))
	if err == nil {
		err = db.pool.QueryRow(ctx, "select value #>> '{}' from settings where key = $1", settingSealingKey).Scan(&text)
	}
	if err != nil {
		return nil, fmt.Errorf("sealing key: %w", away(err))
	}
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(key) != 32 {
		return nil, fmt.Errorf("the sealing key in settings is damaged: delete the row %q to make a new one; cursors given out so far then expire", settingSealingKey)
	}
	return key, nil
}

// RankEpoch returns how often the people were ranked anew. A cursor made in an
// earlier epoch no longer says where its walk was.
func (db *DB) RankEpoch(ctx context.Context) (int64, error) {
	var epoch int64
	err := db.pool.QueryRow(ctx, "select value::bigint from settings where key = $1", settingRankEpoch).Scan(&epoch)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("rank epoch: %w", away(err))
	}
	return epoch, nil
}

// BumpRankEpoch begins a new epoch.
func (db *DB) BumpRankEpoch(ctx context.Context) error {
	_, err := db.pool.Exec(ctx, `insert into settings as s (key, value) values ($1, '1')
		on conflict (key) do update set value = to_jsonb(s.value::bigint + 1)`, settingRankEpoch)
	if err != nil {
		return fmt.Errorf("rank epoch: %w", away(err))
	}
	return nil
}

// Mark notes that something was done once and for all in this directory.
func (db *DB) Mark(ctx context.Context, name string) error {
	_, err := db.pool.Exec(ctx, "insert into settings (key, value) values ($1, 'true') on conflict (key) do nothing", name)
	if err != nil {
		return fmt.Errorf("mark %s: %w", name, away(err))
	}
	return nil
}

// Marked reports whether something was noted with [DB.Mark].
func (db *DB) Marked(ctx context.Context, name string) (bool, error) {
	var marked bool
	err := db.pool.QueryRow(ctx, "select exists (select from settings where key = $1)", name).Scan(&marked)
	if err != nil {
		return false, fmt.Errorf("mark %s: %w", name, away(err))
	}
	return marked, nil
}

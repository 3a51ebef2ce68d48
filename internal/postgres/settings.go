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
	settingErasures   = "erasures"
	settingBuilt      = "index_built"
	settingClaimed    = "index_claimed"
	// settingVocabularyBuilding is there while a vocabulary is being built.
	settingVocabularyBuilding = "vocabulary_building"
	// settingTermsRevision counts the changes of what terms there are.
	settingTermsRevision = "terms_revision"
)

// SealingKey returns the 32 random bytes that this directory seals cursors and
// other opaque tokens with. They are made on first use and never change.
func (db *DB) SealingKey(ctx context.Context) ([]byte, error) {
	fresh := make([]byte, 32)
	_, _ = rand.Read(fresh) // never fails: see crypto/rand
	// The insert of whoever came first is what everyone then reads.
	err := exec(ctx, db.pool, "sealing key", firstSetting, settingSealingKey, base64.StdEncoding.EncodeToString(fresh))
	if err != nil {
		return nil, err
	}
	text, err := db.setting(ctx, settingSealingKey)
	if err != nil {
		return nil, err
	}
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(key) != 32 {
		return nil, fmt.Errorf("the sealing key in settings is damaged: put the row %q back from a backup; without it the identifiers, links and cursors that were given out mean nothing any more, and sealed passwords cannot be read", settingSealingKey)
	}
	return key, nil
}

// RankEpoch returns how often the people were ranked anew. A cursor made in an
// earlier epoch no longer says where its walk was.
func (db *DB) RankEpoch(ctx context.Context) (int64, error) {
	return value[int64](ctx, db.pool, "rank epoch", "select coalesce((select value::bigint from settings where key = $1), 0)", settingRankEpoch)
}

// BumpRankEpoch begins a new epoch.
func (db *DB) BumpRankEpoch(ctx context.Context) error {
	return exec(ctx, db.pool, "rank epoch", bumpSetting, settingRankEpoch)
}

// setting is a text among the settings; empty where there is none.
func (db *DB) setting(ctx context.Context, key string) (string, error) {
	text, err := value[string](ctx, db.pool, "setting "+key, "select value #>> '{}' from settings where key = $1", key)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return text, err
}

const (
	// putSetting sets a text among the settings to its second argument, and
	// firstSetting only where there is none.
	putSetting   = "insert into settings (key, value) values ($1, to_jsonb($2::text)) on conflict (key) do update set value = excluded.value"
	firstSetting = "insert into settings (key, value) values ($1, to_jsonb($2::text)) on conflict (key) do nothing"
	// bumpSetting adds one to a number among the settings.
	bumpSetting = `insert into settings as s (key, value) values ($1, '1')
		on conflict (key) do update set value = to_jsonb(s.value::bigint + 1)`
	// markSetting notes that something is so.
	markSetting = "insert into settings (key, value) values ($1, 'true') on conflict (key) do nothing"
)

// marked reports whether [markSetting] noted a name.
func marked(ctx context.Context, q querier, name string) (bool, error) {
	return value[bool](ctx, q, "mark "+name, "select exists (select from settings where key = $1)", name)
}

// Mark notes that something was done once and for all in this directory.
func (db *DB) Mark(ctx context.Context, name string) error {
	return exec(ctx, db.pool, "mark "+name, markSetting, name)
}

// Marked reports whether something was noted with [DB.Mark].
func (db *DB) Marked(ctx context.Context, name string) (bool, error) {
	return marked(ctx, db.pool, name)
}

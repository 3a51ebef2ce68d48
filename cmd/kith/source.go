package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kith"
	"kith/internal/imports/mapping"
	"kith/internal/postgres"
	"kith/internal/record/source"
	"kith/query/analysis"
)

// sourceFlags configure the source of fresh data.
type sourceFlags struct {
	SourceURL     string        `name:"source-url" env:"KITH_SOURCE_URL" placeholder:"URL"`
	SourceKey     string        `hidden:"" env:"KITH_SOURCE_KEY"`
	SourceMapping string        `env:"KITH_SOURCE_MAPPING" type:"existingfile" placeholder:"FILE"`
	SourceRate    float64       `default:"10" env:"KITH_SOURCE_RATE"`
	SourceTimeout time.Duration `default:"10s" env:"KITH_SOURCE_TIMEOUT"`
	SourceDir     string        `env:"KITH_SOURCE_DIR" type:"existingdir" placeholder:"DIR"`
}

// maxSourceTimeout keeps a request shorter than the time limit of a background task.
const maxSourceTimeout = 20 * time.Second

// open returns the source that the flags name, or nil. Invalid flags are an error of the command line.
func (f sourceFlags) open() (source.Source, error) {
	src, err := f.source()
	return src, usageError(err)
}

func (f sourceFlags) source() (source.Source, error) {
	switch {
	case f.SourceURL != "" && f.SourceDir != "":
		return nil, errors.New("--source-url and --source-dir cannot both be given: there is one source")
	case f.SourceDir != "":
		return source.OpenDirectory(f.SourceDir)
	case f.SourceURL == "":
		return nil, nil
	case !(f.SourceRate > 0): // also rejects NaN
		return nil, fmt.Errorf("--source-rate must be more than 0 (got %v)", f.SourceRate)
	case f.SourceTimeout <= 0 || f.SourceTimeout > maxSourceTimeout:
		return nil, fmt.Errorf("--source-timeout must be more than 0, and at most %v (got %v)", maxSourceTimeout,
			f.SourceTimeout)
	}
	cfg := source.ProviderConfig{URL: f.SourceURL, Key: f.SourceKey, Rate: f.SourceRate, Timeout: f.SourceTimeout}
	if f.SourceMapping != "" {
		var err error
		if cfg.Mapping, err = mapping.Read(f.SourceMapping); err != nil {
			return nil, err
		}
	}
	return source.NewProvider(cfg)
}

// mirror is a dataset that is its own source. The demo is refreshed from itself, so that
// refreshes can be tried without a provider.
type mirror struct{ db *postgres.DB }

// Fetch implements [source.Source].
func (m mirror) Fetch(ctx context.Context, profileURL string) (source.Record, error) {
	key, _ := analysis.URLKey(profileURL)
	people, err := m.db.ByProfile(ctx, kith.Public(), []string{key})
	if err != nil {
		return source.Record{}, err
	}
	person, ok := people[key]
	if !ok {
		return source.Record{}, kith.Errorf(kith.NotFound, source.CodeUnknown,
			"the demo has no person with this profile URL")
	}
	line, err := json.Marshal(person)
	return source.Record{Line: line}, err
}

// Close implements [source.Source].
func (mirror) Close() {}

// age is a duration that may be given in days, such as 90d.
type age time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (a *age) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.ParseFloat(days, 64)
		if err != nil || !(n >= 0 && n <= 36500) { // also rejects NaN
			return fmt.Errorf("must be a number of days such as 90d (got %q)", s)
		}
		*a = age(n * float64(24*time.Hour))
		return nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return fmt.Errorf("must be an age such as 90d or 12h (got %q)", s)
	}
	*a = age(d)
	return nil
}

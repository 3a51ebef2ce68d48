package jobs

import (
	"context"
	"log/slog"
	"strings"

	"github.com/rs/zerolog"
)

// logger passes on what River says is wrong. It speaks of every fetch at lower
// levels.
func logger(log zerolog.Logger) *slog.Logger {
	return slog.New(stopping{zerolog.NewSlogHandler(log.Level(zerolog.WarnLevel))})
}

// stopping leaves out what only says that the queue was told to stop, which
// River calls an error where it happens within a statement.
type stopping struct{ slog.Handler }

// Handle implements [slog.Handler].
func (h stopping) Handle(ctx context.Context, r slog.Record) error {
	canceled := false
	r.Attrs(func(a slog.Attr) bool {
		canceled = canceled || strings.HasSuffix(a.Value.String(), context.Canceled.Error())
		return !canceled
	})
	if canceled {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (h stopping) WithAttrs(attrs []slog.Attr) slog.Handler {
	return stopping{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements [slog.Handler].
func (h stopping) WithGroup(name string) slog.Handler { return stopping{h.Handler.WithGroup(name)} }

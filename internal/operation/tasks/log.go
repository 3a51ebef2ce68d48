package tasks

import (
	"context"
	"log/slog"
	"strings"

	"github.com/rs/zerolog"
)

// logger passes on River's warnings and errors. At lower levels River logs every fetch.
func logger(log zerolog.Logger) *slog.Logger {
	return slog.New(stopping{zerolog.NewSlogHandler(log.Level(zerolog.WarnLevel))})
}

// stopping drops messages that only say that the queue was told to stop. River logs these
// as errors if they interrupt a statement.
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

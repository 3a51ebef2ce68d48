package pgfault_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"kith"
	"kith/index/pgfault"
)

func TestClassify(t *testing.T) {
	sqlState := func(code string) error { return fmt.Errorf("a statement: %w", &pgconn.PgError{Code: code}) }
	for name, tt := range map[string]struct {
		err     error
		away    bool
		timeout bool
		full    bool
	}{
		"statement_timeout": {err: sqlState("57014"), timeout: true},
		"the caller's time": {err: fmt.Errorf("x: %w", context.DeadlineExceeded), timeout: true},
		"no answer to a connect": {
			err:  fmt.Errorf("x: %w", errors.Join(&pgconn.ConnectError{}, context.DeadlineExceeded)),
			away: true, timeout: true,
		},
		"a wrong password": {
			err:  fmt.Errorf("x: %w", errors.Join(&pgconn.ConnectError{}, sqlState("28P01"))),
			away: true,
		},
		"disk is full": {err: sqlState("53100"), away: true, full: true},
		"disk too full to let in": {
			err:  fmt.Errorf("x: %w", errors.Join(&pgconn.ConnectError{}, sqlState("53100"))),
			away: true, full: true,
		},
		"memory is full":       {err: sqlState("53200"), away: true},
		"too many connections": {err: sqlState("53300"), away: true},
		"read only":            {err: sqlState("25006"), away: true},
		"shutting down":        {err: sqlState("57P01"), away: true},
		"database was dropped": {err: sqlState("57P04"), away: true},
		"connection failure":   {err: sqlState("08006"), away: true},
		"closed pool":          {err: fmt.Errorf("x: %w", puddle.ErrClosedPool), away: true},
		"broken pipe":          {err: fmt.Errorf("x: %w", syscall.EPIPE), away: true},
		"reset":                {err: fmt.Errorf("x: %w", syscall.ECONNRESET), away: true},
		"end of the stream":    {err: io.ErrUnexpectedEOF, away: true},
		"closed connection":    {err: errors.New("conn closed"), away: true},
		"a constraint":         {err: sqlState(pgfault.UniqueViolation)},
		"syntax":               {err: sqlState("42601")},
		"a refusal":            {err: kith.Errorf(kith.NotFound, "X", "x")},
		"a canceled request":   {err: fmt.Errorf("x: %w", context.Canceled)},
	} {
		got := pgfault.Classify(tt.err)
		if away := kith.KindOf(got) == kith.Unavailable; away != tt.away {
			t.Errorf("%s: %v", name, got)
		}
		if full := errors.Is(got, kith.ErrDiskFull); full != tt.full {
			t.Errorf("%s: %v", name, got)
		}
		if timeout := errors.Is(got, context.DeadlineExceeded); timeout != tt.timeout || !errors.Is(got, tt.err) {
			t.Errorf("%s: %v", name, got)
		}
	}
	for code, says := range map[string]string{
		"28P01": "password in --database-url", "42501": "grant connect", "3D000": "create the database",
		"53300": "max_connections", "42704": "Postgres 14",
	} {
		if got := pgfault.Classify(errors.Join(&pgconn.ConnectError{}, sqlState(code))).Error(); !strings.Contains(got,
			says) || strings.Contains(got, "\n") {
			t.Errorf("%s: %s, want %q in one line", code, got, says)
		}
	}
	if err := pgfault.Classify(nil); err != nil {
		t.Error(err)
	}
}

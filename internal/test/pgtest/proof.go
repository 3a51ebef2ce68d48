package pgtest

import (
	"context"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5"
)

// ProofVariable is the environment variable with a file to which each test database appends a line before it is
// dropped, as proof that the tests used a real server. The line has the server version, the number of transactions
// committed in the database and the number of rows written, separated by spaces.
const ProofVariable = "KITH_TEST_POSTGRES_PROOF"

// prove appends the line of a database.
func (s *Server) prove(database string) error {
	path := os.Getenv(ProofVariable)
	if path == "" {
		return nil
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.dsn(database))
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	var version string
	var transactions, rows int64
	err = conn.QueryRow(ctx, `SELECT current_setting('server_version_num'), xact_commit, tup_inserted + tup_updated
		FROM pg_stat_database WHERE datname = current_database()`).Scan(&version, &transactions, &rows)
	if err != nil {
		return fmt.Errorf("reading what the server has done: %w", err)
	}
	out, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s %d %d\n", version, transactions, rows)
	if closing := out.Close(); err == nil {
		err = closing
	}
	return err
}

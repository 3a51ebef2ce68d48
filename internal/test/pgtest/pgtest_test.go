package pgtest_test

import (
	"context"
	"testing"

	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func TestDatabasesOfTestsAreSeparate(t *testing.T) {
	ctx := context.Background()
	one, two := pgtest.Pool(t), pgtest.Pool(t)
	if _, err := one.Exec(ctx, "CREATE TABLE things (id int)"); err != nil {
		t.Fatal(err)
	}
	var there bool
	expect.NoError(t, two.QueryRow(ctx, "SELECT to_regclass('things') IS NOT NULL").Scan(&there))
	if there {
		t.Error("a table of one test database is visible in another")
	}
	if err := one.QueryRow(ctx, "SELECT to_regclass('kith.things') IS NOT NULL").Scan(&there); err != nil || !there {
		t.Errorf("the table is not in schema kith: exists=%v, err=%v", there, err)
	}
}

func TestServerStopsAndStartsAgain(t *testing.T) {
	ctx := context.Background()
	server := pgtest.NewServer(t)
	pool := server.Pool(t)
	if _, err := pool.Exec(ctx, "CREATE TABLE things (id int)"); err != nil {
		t.Fatal(err)
	}
	server.Stop(t)
	if _, err := pool.Exec(ctx, "SELECT 1"); err == nil {
		t.Fatal("a stopped server answers")
	}
	server.Start(t)
	pool.Reset()
	if _, err := pool.Exec(ctx, "SELECT * FROM things"); err != nil {
		t.Fatalf("after a restart: %v", err)
	}
}

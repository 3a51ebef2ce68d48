package postgres_test

import (
	"strings"
	"testing"

	"kith/internal/postgres"
)

// The error for an unreadable address shows an example instead of the address, which may hold a password.
func TestErrorsHideInvalidAddresses(t *testing.T) {
	for _, address := range []string{
		"mysql://u:secret@h/x", "postgres://u:secret@h:port/x", "postgres://u:sec ret@h/x",
		"user=u password=secret bogus",
		"postgres://u:secret@h/x?sslmode=bogus",
	} {
		_, err := postgres.Open(t.Context(), address, postgres.Options{})
		if err == nil || !strings.Contains(err.Error(), "postgres://user:password@host:5432/database") ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

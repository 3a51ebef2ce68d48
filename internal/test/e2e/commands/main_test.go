package commands_test

import (
	"testing"

	"kith/internal/test/e2e"
)

func TestMain(m *testing.M) { e2e.Main(m) }

package imports_test

import (
	"testing"

	"kith/internal/e2e"
)

func TestMain(m *testing.M) { e2e.Main(m) }

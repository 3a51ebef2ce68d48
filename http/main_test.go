package http_test

import (
	"testing"

	"kith/internal/elastictest"
)

func TestMain(m *testing.M) { elastictest.Main(m) }

package http_test

import (
	"testing"

	"kith/internal/test/elastictest"
)

func TestMain(m *testing.M) { elastictest.Main(m) }

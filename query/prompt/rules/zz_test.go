package rules_test

import (
	"fmt"
	"os"
	"testing"
)

func TestZZ(t *testing.T) {
	planner := newPlanner(t)
	in, _ := os.ReadFile("/tmp/lead/pp.txt")
	out, _ := replanned(t, planner, in)
	fmt.Println(string(out))
}

package openapi

import (
	"testing"

	"gopkg.in/yaml.v3"
)

// JSON writes the members that it finds; one that stands twice would be given
// out twice, and each reader would take the one it likes.
func TestNoMemberStandsTwice(t *testing.T) {
	var doc map[string]any
	if err := yaml.Unmarshal(source, &doc); err != nil {
		t.Error(err)
	}
}

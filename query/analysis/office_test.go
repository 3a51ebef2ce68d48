package analysis_test

import (
	"testing"

	"kith/query/analysis"
)

func TestOfficesAreNotPeople(t *testing.T) {
	for _, tt := range []struct {
		name, address      string
		office, officeName bool
	}{
		{"", "info@acme.example", true, true},
		{"Acme Info", "Info@acme.example", true, true},
		{"Sales Team", "sales-team+eu@acme.example", false, true},
		{"Blue Agency", "kontakt@blue-agency.example", true, true},
		{"Jane Doe", "info@acme.example", true, false},
		{"Li Doe", "info@olivar-doe.example", true, false},
		{"Jane Doe", "jane@acme.example", false, false},
		{"Info", "info", false, true},
	} {
		if got := analysis.IsOffice(tt.address); got != tt.office {
			t.Errorf("IsOffice(%q) is %v", tt.address, got)
		}
		if got := analysis.IsOfficeName(tt.name, tt.address); got != tt.officeName {
			t.Errorf("IsOfficeName(%q, %q) is %v", tt.name, tt.address, got)
		}
	}
}

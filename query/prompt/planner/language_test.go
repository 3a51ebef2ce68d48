package planner_test

import (
	"bufio"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith"
	"kith/internal/test/expect"
	"kith/query/prompt"
)

func TestPromptsInOtherLanguages(t *testing.T) {
	p := newPlanner(t)
	for _, tt := range []struct{ text, lines string }{
		{"Ingenieure, die früher bei Siemens gearbeitet haben", "pastCompany: Siemens | company: -Siemens"},
		{
			"Elektriker in Graz mit mindestens fünf Jahren Berufserfahrung",
			"position: electrician | city: Graz | experienceYears: 5+",
		},
		{"Fliesenleger, die in Kassel wohnen", "position: tiler | city: Kassel"},
		{"Wen kenne ich bei Siemens?", "network: | company: Siemens"},
		{"Lehrer:innen in Bremen", "position: teacher"},
		{"anciens de Danone", "pastCompany: Danone"},
		{"responsables achats dans l'agroalimentaire en Bretagne", "companyIndustry: | state: Brittany"},
		{"mes amis d'amis au Sénégal", "network: | country: Senegal"},
		{
			"comptables avec plus de trois ans d'expérience à Lyon",
			"position: accountant | experienceYears: >3 | city: Lyon",
		},
		{"enfermeras en Bogotá que trabajen en hospitales", "position: nurse | companyIndustry: | city: Bogotá"},
		{
			"directores de recursos humanos en empresas de más de 500 empleados en Perú",
			"companySize: >500 | country: Peru",
		},
		{"médicos que moram em Lisboa", "position: doctor"},
		{"quem eu conheço na Natura?", "network: | company: Natura"},
		{"architetti a Torino con esperienza in ospedali", "position: architect | city: Turin"},
		{"panettieri a Ginevra", "position: baker | city: Geneva"},
		{"mensen bij start-ups in Eindhoven die vroeger bij NXP zaten", "pastCompany: NXP | city: Eindhoven"},
		{"Wie van mijn contacten werkt bij Philips?", "network: | company: Philips"},
		// Function words are neither codes of places nor names.
		{"nurses in Denver or Portland", "city: Denver, Portland"},
	} {
		plan, err := p.Plan(t.Context(), kith.Operator(), tt.text, prompt.Auto)
		expect.NoError(t, err)
		for line := range strings.SplitSeq(tt.lines, " | ") {
			if !strings.Contains(plan.String(), "\n"+line) {
				t.Errorf("%s: no %q in\n%s", tt.text, line, plan)
			}
		}
	}
}

// prompts yields the prompts of the golden files.
func prompts(t *testing.T) iter.Seq[string] {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "golden", "*.txt"))
	expect.NoError(t, err)
	return func(yield func(string) bool) {
		for _, name := range files {
			text, err := os.ReadFile(name)
			expect.NoError(t, err)
			scan := bufio.NewScanner(strings.NewReader(string(text)))
			for scan.Scan() {
				if line, ok := strings.CutPrefix(scan.Text(), "> "); ok && !yield(line) {
					return
				}
			}
		}
	}
}

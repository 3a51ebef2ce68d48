package imports_test

import (
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/test/e2e"
)

const companies = `country,founded,id,industry,linkedin_url,locality,name,region,size,website
germany,2015,1,financial services,linkedin.com/company/import-example,berlin,import example gmbh,,51-200,import.example
france,1990,2,retail,linkedin.com/company/twice-a,paris,twice,ile-de-france,11-50,twice-a.example
france,1991,3,retail,linkedin.com/company/twice-b,lyon,twice,rhone,11-50,twice-b.example
spain,2001,4,mining,linkedin.com/company/unknown,madrid,unknown here,madrid,1-10,unknown.example
`

// import --only-known completes companies of the dataset, and searches find people by the new details.
func TestImportOnlyKnownCompletesCompanies(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		people := acquaintances + "Ann,Poe,https://www.linkedin.com/in/ann-import-placeholder,,Twice,CEO,12 Mar 2024\n"
		for name, text := range map[string]string{"Connections.csv": people, "companies.csv": companies} {
			k.File(t, name, text)
		}
		k.Run(t, "import", "--yes", filepath.Join(k.Dir, "Connections.csv"))
		out, _, err := k.Try(t, "doctor")
		if err != nil || !strings.Contains(out, "industry of companies: 100 of 100 lack it") ||
			!strings.Contains(out, "--only-known") {
			t.Errorf("doctor does not report the missing industry:\n%s", out)
		}
		for i, want := range []string{
			"4 read, 1 of the dataset matched, 1 filled in; 1 left as they are",
			"1 matched, 0 filled in",
		} {
			want = strings.Replace(want, "1 matched", "1 of the dataset matched", 1)
			if out := k.Run(t, "import", "--only-known", filepath.Join(k.Dir, "companies.csv")); !strings.Contains(out,
				want) {
				t.Errorf("run %d: %q is missing:\n%s", i+1, want, out)
			}
		}
		if out := k.Find(t, "-f", "companyIndustry=financial services"); !strings.Contains(out, "Robert Roe") ||
			strings.Contains(out, "Ann") {
			t.Errorf("the search by industry finds other people:\n%s", out)
		}
	})
}

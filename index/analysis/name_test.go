package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"kith/index/analysis"
)

func TestNameTokens(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"José Núñez", "jose nunez"},
		{"Dr. Jane Doe", "jane doe"},
		{"Prof. Dr. Hans Müller", "hans muller"},
		{"Jane Doe, PhD", "jane doe"},
		{"Jane Doe, Ph.D.", "jane doe"},
		{"Jane Doe, MBA, CPA", "jane doe"},
		{"Doe, Jane", "doe jane"},
		{"Mary-Jane O'Neil", "mary jane oneil"},
		{"Jack Ma", "jack ma"},
		{"Ma Huateng", "ma huateng"},
		{"Dr", "dr"},
		{"王小明", "王 小 明"},
		{"", ""},
	} {
		if got := strings.Join(analysis.NameTokens(tt.in), " "); got != tt.want {
			t.Errorf("NameTokens(%q) = %q; want %q", tt.in, got, tt.want)
		}
	}
}

func TestNameKey(t *testing.T) {
	for _, tt := range []struct{ a, b string }{
		{"José Núñez", "nunez, JOSE"},
		{"Dr. Jane Doe", "Jane Doe, MBA"},
		{"王小明", "小明王"},
	} {
		if a, b := analysis.NameKey(tt.a), analysis.NameKey(tt.b); a != b {
			t.Errorf("NameKey(%q) = %q, NameKey(%q) = %q", tt.a, a, tt.b, b)
		}
	}
}

func TestNameForms(t *testing.T) {
	for _, tt := range []struct {
		name string
		has  string
		not  string
	}{
		{"Robert Smith", "robert smith bob rob bobby r", "s"},
		{"Bob Smith", "bob smith robert b", ""},
		{"William Henry Gates", "bill will h harry", "g"},
		{"Elizabeth Bennet", "liz beth lizzy", ""},
		{"Hans Müller", "muller mueller h", "m"},
		{"Hans Mueller", "mueller muller", ""},
		{"Søren Ågård", "soren soeren agard aagaard", ""},
		{"Bob", "bob robert", "b"},
		{"", "", "x"},
	} {
		forms := analysis.NameForms(tt.name)
		for _, want := range strings.Fields(tt.has) {
			if !slices.Contains(forms, want) {
				t.Errorf("NameForms(%q) = %q lacks %q", tt.name, forms, want)
			}
		}
		for _, not := range strings.Fields(tt.not) {
			if slices.Contains(forms, not) {
				t.Errorf("NameForms(%q) = %q has %q", tt.name, forms, not)
			}
		}
	}
}

func TestCompanyName(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"Stripe", "stripe"},
		{"Stripe, Inc.", "stripe"},
		{"Stripe Inc", "stripe"},
		{"Siemens AG", "siemens"},
		{"Robert Bosch GmbH", "robert bosch"},
		{"Foo GmbH & Co. KG", "foo"},
		{"Bar Ltd.", "bar"},
		{"Bar Co., Ltd.", "bar"},
		{"Baz Limited", "baz"},
		{"Telefónica S.A.", "telefonica"},
		{"Grupo Bimbo S.A.B. de C.V.", "grupo bimbo"},
		{"Cemex, S.A. de C.V.", "cemex"},
		{"Enel S.p.A.", "enel"},
		{"Enel SpA", "enel"},
		{"Serenity Spa", "serenity spa"},
		{"Nokia Oyj", "nokia"},
		{"Equinor ASA", "equinor"},
		{"Volvo AB", "volvo"},
		{"Maersk A/S", "maersk"},
		{"Philips N.V.", "philips"},
		{"ING Groep NV", "ing groep"},
		{"Allegro sp. z o.o.", "allegro"},
		{"Infosys Pvt. Ltd.", "infosys"},
		{"Atlassian Pty Ltd", "atlassian"},
		{"Grab Pte. Ltd.", "grab"},
		{"Petronas Sdn. Bhd.", "petronas"},
		{"Nubank Ltda", "nubank"},
		{"SAP SE", "sap"},
		{"Škoda Auto a.s.", "skoda auto"},
		{"Foo s.r.o.", "foo"},
		{"Foo d.o.o.", "foo"},
		{"Газпром ООО", "газпром"},
		{"トヨタ自動車株式会社", "ト ヨ タ 自 動 車"},
		{"The Walt Disney Company", "walt disney"},
		{"The Home Depot", "home depot"},
		{"The", "the"},
		{"Inc.", "inc"},
		{"Limited", "limited"},
		{"AG", "ag"},
		{"AT&T Inc.", "at&t"},
		{"Booking.com", "booking.com"},
		{"Procter & Gamble", "procter gamble"},
		{"Deutsche Bank Group", "deutsche bank group"},
		{"Johnson & Johnson", "johnson johnson"},
		{"Tiffany & Co.", "tiffany"},
		{"Acme LLC", "acme"},
		{"Acme L.L.C.", "acme"},
		{"Acme LLP", "acme"},
		{"Barclays PLC", "barclays"},
		{"Alphabet Inc. Ltd", "alphabet"},
		{"Kanzlei Müller e.K.", "kanzlei muller"},
		{"Verein Foo e.V.", "verein foo"},
		{"", ""},
	} {
		if got := strings.Join(analysis.CompanyName(tt.in), " "); got != tt.want {
			t.Errorf("CompanyName(%q) = %q; want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzCompanyName(f *testing.F) {
	for _, s := range []string{"Foo GmbH & Co. KG", "Inc", "The", "AS", "a s", "株式会社", "\xff Ltd", " , Inc", "Spa."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(analysis.CompanyName(s)) == 0 && len(analysis.Tokens(s)) > 0 {
			t.Fatalf("CompanyName(%q) is empty", s)
		}
		analysis.NameForms(s)
	})
}

package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
	"kith/query/tokenizer"
)

func TestNameTokens(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"José Núñez", "jose nunez"},
		{"Dr. Jane Doe", "jane doe"},
		{"Prof. Dr. Hans Müller", "hans muller"},
		{"Jane Doe, PhD", "jane doe"},
		{"Jane Doe, Ph.D.", "jane doe"},
		{"Jane Doe, MBA, CPA", "jane doe"},
		{"Doe, Jane", "jane doe"},
		{"García López, María", "maria garcia lopez"},
		{"Doe, Jane, PhD", "jane doe"},
		{"Doe, D.", "d doe"},
		{", Jane", "jane"},
		{"Jane Doe, Head of Design", "jane doe head of design"},
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
		{"Robert Smith", "robert smith bob rob bobby r s", "rs robertsmith"},
		{"Bob Smith", "bob smith robert b", ""},
		{"William Henry Gates", "bill will h harry w g wh", "whg"},
		{"Elizabeth Bennet", "liz beth lizzy", ""},
		{"Hans Müller", "muller mueller h m", ""},
		{"Hans Mueller", "mueller muller", ""},
		{"Søren Ågård", "soren soeren agard aagaard", ""},
		{"Bob", "bob robert", "b"},
		{"Smith, Robert", "bob r s", ""},
		{"Jean-Luc Picard", "jean luc picard jeanluc", "jeanlucpicard"},
		{"Kim Min-jun", "kim minjun", ""},
		{"J.K. Rowling", "jk j k rowling r", ""},
		{"AJ Smith", "aj a j smith", ""},
		{"王小明", "王 小 明", "王小 小明"},
		{"", "", "x"},
	} {
		forms := analysis.NameForms(tt.name)
		for want := range strings.FieldsSeq(tt.has) {
			if !slices.Contains(forms, want) {
				t.Errorf("NameForms(%q) = %q lacks %q", tt.name, forms, want)
			}
		}
		for not := range strings.FieldsSeq(tt.not) {
			if slices.Contains(forms, not) {
				t.Errorf("NameForms(%q) = %q has %q", tt.name, forms, not)
			}
		}
	}
}

// A person is found under every common variant of the name.
func TestNamesMatchTheirVariants(t *testing.T) {
	for _, tt := range []struct{ asked, record, want string }{
		{"Jane Doe", "Jane Doe", "exact"},
		{"Doe Jane", "Jane Doe", "exact"},
		{`"Doe, Jane"`, "Jane Doe", "exact"},
		{"Zhang San", "San Zhang", "exact"},
		{"小明王", "王小明", "exact"},
		{"Dr. Jane Doe", "Jane Doe, PhD", "exact"},
		{"J. Doe", "Jane Doe", "close"},
		{"J Doe", "Jane Doe", "close"},
		{"Doe J", "Jane Doe", "close"},
		{"Jane D.", "Jane Doe", "close"},
		{"Jane Doe", "J. Doe", "close"},
		{"Jane Doe", "Jane D.", "close"},
		{"Jane Doe", "Jane Mary Doe", "close"},
		{"Jane Mary Doe", "Jane Doe", "close"},
		{"Jane Mary Doe", "Jane M. Doe", "close"},
		{"Jane M. Doe", "Jane Mary Doe", "close"},
		{"Jane Mary Doe", "J. M. Doe", "close"},
		{"Jane", "Jane Doe", "close"},
		{"María García", "Maria Garcia Lopez", "close"},
		{"Maria Garcia Lopez", "Maria Garcia", "close"},
		{"Bob Smith", "Robert Smith", "close"},
		{"Robert Smith", "Bob Smith", "close"},
		{"Rob Smith", "Bob Smith", "close"},
		{"Bob Smith", "Smith, Robert", "close"},
		{"Mueller Hans", "Hans Müller", "close"},
		{"Hans Müller", "Hans Mueller", "close"},
		{"Hans Mueller", "Hans Muller", "close"},
		{"Soren Aagaard", "Søren Ågård", "close"},
		{"Jean-Luc Picard", "Jean Luc Picard", "exact"},
		{"Jeanluc Picard", "Jean-Luc Picard", "close"},
		{"Jean-Luc Picard", "Jeanluc Picard", "close"},
		{"Xiao Ming Wang", "Xiaoming Wang", "close"},
		{"Minjun Kim", "Kim Min-jun", "close"},
		{"JK Rowling", "Joanne Kathleen Rowling", "close"},
		{"J. K. Rowling", "J.K. Rowling", "close"},
		{"J.K. Rowling", "J K Rowling", "close"},
		{"J.R.R. Tolkien", "J. R. R. Tolkien, Jr.", "close"},
		{"JRR Tolkien", "J. R. R. Tolkien, Jr.", "close"},
		{"J.R. Tolkien", "J. R. R. Tolkien", "close"},
		{"JRR Tolkien", "J.R.R. Tolkien", "exact"},
		{"JD Salinger", "JD Salinger", "exact"},
		{"JD Salinger", "J. D. Salinger", "close"},
		{"JD Salinger", "Jerome David Salinger", "close"},
		{"Jane Doe", "Jane Doe, JD", "exact"},
		{"J.R.R. Tolkien", "John Ronald Reuel Tolkien", "close"},
		{"J. R. R. Tolkien", "J.R.R. Tolkien", "close"},
		{"John Smith Jr", "John Smith", "close"},
		{"John Smith", "John Smith III", "close"},

		{"Jane Doe", "John J. Doe", ""},
		{"Jane Mary Doe", "Jane Ann Doe", ""},
		{"Jane Doe", "Jane Roe", ""},
		{"JD Salinger", "Anna Salinger", ""},
		{"Jane Doe", "Mary Doe", ""},
		{"K. Doe", "Jane Doe", ""},
		{"J.R.R. Tolkien", "John Tolkien", ""},
		{"LEE JO", "Lee Jane Olson", ""},
		{"王小明", "王明", ""},
		{"王明", "王小明", "close"},
		{"Jane Doe", "Jane", ""},
	} {
		c, problems := analysis.Compile(query.Filters{query.FilterPersonName: tt.asked}, now())
		if problems != nil {
			t.Fatal(problems)
		}
		p := kith.Person{ID: 1, FullName: tt.record, SocialURL: "https://social.example/in/x"}
		got, d := "", document(t, p)
		if indexed.Match(d, c.Query) {
			got = "close"
		}
		if indexed.Match(d, c.Exact) {
			got = "exact"
		}
		if got != tt.want {
			t.Errorf("%q finds %q: %q, want %q (%s)", tt.asked, tt.record, got, tt.want, query.String(c.Query))
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
		{"Tiffany and Co", "tiffany"},
		{"Marks and Spencer plc", "marks spencer"},
		{"And Digital", "and digital"},
		{"And", "and"},
		{"H & M", "h&m"},
		{"h and m", "h&m"},
		{"AT & T Inc.", "at&t"},
		{"Foo AG & Co. KG", "foo"},
		{"AG & Co KG", "ag"},
		{"Rock and", "rock and"},
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
		if len(analysis.CompanyName(s)) == 0 && len(tokenizer.Tokens(s)) > 0 {
			t.Fatalf("CompanyName(%q) is empty", s)
		}
		analysis.NameForms(s)
	})
}

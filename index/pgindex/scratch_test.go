//go:build scratch

package pgindex_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"kith/index"
	"kith/index/indextest"
	"kith/index/pgindex"
	"kith/query"
)

type gen struct {
	*rand.Rand
	name, title, company, city *rand.Zipf
}

func newGen(seed uint64) *gen {
	r := rand.New(rand.NewPCG(seed, 7))
	return &gen{r, rand.NewZipf(r, 1.1, 10, 20000), rand.NewZipf(r, 1.3, 3, 300), rand.NewZipf(r, 1.1, 20, 50000), rand.NewZipf(r, 1.2, 3, 3000)}
}

var (
	sen    = []string{"intern", "entry", "senior", "lead", "manager", "director", "vp", "cxo", "founder"}
	titles = []string{"engineer", "manager", "director", "analyst", "software", "data", "sales", "marketing", "product", "designer"}
)

func (g *gen) job(current bool) index.Fields {
	f := indextest.NewFields()
	tok := func() string {
		n := int(g.title.Uint64())
		if n < len(titles) {
			return titles[n]
		}
		return "t" + strconv.Itoa(n)
	}
	t := []string{tok(), tok()}
	if g.IntN(2) == 0 {
		t = append(t, tok())
	}
	f.Words[query.Title] = [][]string{t}
	f.Keywords[query.TitleExact] = []string{fmt.Sprint(t)}
	f.Keywords[query.Seniority] = []string{sen[min(len(sen)-1, int(math.Abs(g.NormFloat64()*2)))]}
	f.Keywords[query.Function] = []string{"f" + strconv.Itoa(g.IntN(16))}
	c := g.company.Uint64()
	cs := strconv.Itoa(int(c))
	f.Keywords[query.CompanyID] = []string{cs}
	f.Words[query.Company] = [][]string{{"co" + cs, "group" + strconv.Itoa(int(c%50))}}
	f.Keywords[query.CompanyExact] = []string{"co" + cs}
	f.Keywords[query.CompanyURL] = []string{"co" + cs + ".com"}
	f.Keywords[query.CompanySocialID] = []string{"co" + cs}
	f.Keywords[query.CompanySocialURL] = []string{"social.example/company/co" + cs}
	f.Words[query.CompanyIndustry] = [][]string{{"ind" + strconv.Itoa(int(c%40)), "services"}}
	f.Words[query.CompanyKeywords] = [][]string{{"kw" + strconv.Itoa(int(c%300))}, {"kw" + strconv.Itoa(int(c%77)), "x"}}
	f.Words[query.CompanyType] = [][]string{{"privately", "held"}}
	f.Numbers[query.CompanySize] = int64(1 + (c*7919)%20000)
	f.Numbers[query.CompanyFounded] = int64(1900 + c%124)
	s := int64(10000 + g.IntN(10000))
	f.Numbers[query.Start] = s
	if current {
		f.Numbers[query.Tenure] = s - int64(g.IntN(1000))
	} else {
		f.Numbers[query.End] = s + int64(g.IntN(2000))
	}
	return f
}

func (g *gen) doc(id int64) index.Document {
	d := index.Document{ID: id, Version: 1, Fields: indextest.NewFields(), Nested: map[query.Path][]index.Fields{}}
	f := d.Fields
	n1, n2 := "n"+strconv.Itoa(int(g.name.Uint64())), "m"+strconv.Itoa(int(g.name.Uint64()))
	f.Words[query.Name] = [][]string{{n1, n2}}
	f.Words[query.NameAlias] = [][]string{{n1, n2, n1 + "y"}}
	f.Keywords[query.NameExact] = []string{n1 + " " + n2}
	sid := "p" + strconv.Itoa(int(id))
	f.Keywords[query.SocialID] = []string{sid}
	f.Keywords[query.SocialURL] = []string{"social.example/in/" + sid}
	f.Keywords[query.Email] = []string{sid + "@example.com"}
	ci := int(g.city.Uint64())
	city, country := "city"+strconv.Itoa(ci), "c"+strconv.Itoa(ci%60)
	f.Keywords[query.City], f.Keywords[query.Country] = []string{city}, []string{country}
	f.Keywords[query.State] = []string{"s" + strconv.Itoa(ci%400)}
	f.Keywords[query.Region] = []string{"r" + strconv.Itoa(ci%6), "g" + strconv.Itoa(ci%3)}
	text := []string{n1, n2, city, country}
	for range g.IntN(6) {
		sk := "sk" + strconv.Itoa(int(g.title.Uint64()))
		f.Words[query.Skill] = append(f.Words[query.Skill], []string{sk})
		text = append(text, sk)
	}
	jobs := 1
	switch g.IntN(20) {
	case 0, 1:
		jobs = 0
	case 2:
		jobs = 2
	}
	for range jobs {
		j := g.job(true)
		d.Nested[query.Current] = append(d.Nested[query.Current], j)
		text = append(text, j.Words[query.Title][0]...)
		text = append(text, j.Words[query.Company][0]...)
	}
	for range g.IntN(5) {
		d.Nested[query.Past] = append(d.Nested[query.Past], g.job(false))
	}
	for range g.IntN(3) {
		e := indextest.NewFields()
		e.Words[query.School] = [][]string{{"university", "u" + strconv.Itoa(int(g.title.Uint64()))}}
		e.Words[query.Degree] = [][]string{{"msc"}, {"master", "of", "science"}}
		e.Words[query.FieldOfStudy] = [][]string{{"fos" + strconv.Itoa(g.IntN(60))}}
		e.Numbers[query.Start], e.Numbers[query.End] = 9000, 10500
		d.Nested[query.Education] = append(d.Nested[query.Education], e)
	}
	f.Words[query.Headline] = [][]string{text[2:]}
	f.Words[query.Text] = [][]string{text}
	f.Numbers[query.Experience] = int64(8000 + g.IntN(12000))
	// Rank follows seniority, as the real formula does.
	if jobs > 0 {
		d.Rank = int64(slices.Index(sen, d.Nested[query.Current][0].Keywords[query.Seniority][0])) * 100
	}
	d.Rank += int64(g.IntN(400))
	indextest.Complete(&d)
	d.Facets = map[index.Facet]string{index.FacetCountry: country, index.FacetCity: city}
	if jobs > 0 {
		d.Facets[index.FacetSeniority] = d.Nested[query.Current][0].Keywords[query.Seniority][0]
	}
	d.Record, _ = json.Marshal(map[string]any{"id": id, "full_name": n1 + " " + n2, "social_url": "https://social.example/in/" + sid, "headline": fmt.Sprint(text), "about_me": "Lorem ipsum dolor sit amet, consectetur adipiscing elit. " + strconv.Itoa(g.IntN(1e9)), "work": map[string]any{"title": text[len(text)-1], "company": map[string]any{"name": "co", "domain": "co.com", "industry": "x", "employee_count": 12}}})
	return d
}

func benchPool(t testing.TB) *pgxpool.Pool {
	pool, err := pgxpool.New(context.Background(), os.Getenv("BENCH_DSN"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

func TestScratchLoad(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("BENCH_N"))
	ix := pgindex.New(benchPool(t))
	if err := ix.Setup(t.Context()); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("BENCH_NEW") != "" { if _, err := ix.Create(t.Context()); err != nil { t.Fatal(err) } }; vs, _ := ix.Versions(t.Context()); slices.Reverse(vs)
	const size = 2000
	start := time.Now()
	ch := make(chan []index.Flat, 4)
	go func() {
		defer close(ch)
		g := newGen(1)
		for i := 0; i < n; i += size {
			docs := make([]index.Flat, 0, size)
			for j := range size {
				docs = append(docs, index.Flatten(g.doc(int64(i+j+1))))
			}
			ch <- docs
		}
	}()
	workers, _ := strconv.Atoi(os.Getenv("BENCH_W"))
	if workers == 0 {
		workers = 1
	}
	done := make(chan int)
	for range workers {
		go func() {
			for docs := range ch {
				if err := ix.Write(context.Background(), index.People, []string{vs[0].Name}, docs, nil); err != nil {
					t.Error(err)
				}
				done <- len(docs)
			}
			done <- 0
		}()
	}
	total, ends := 0, 0
	for ends < workers {
		k := <-done
		if k == 0 {
			ends++
			continue
		}
		total += k
		if total%50000 < size {
			t.Logf("%d docs, %.0f docs/s", total, float64(total)/time.Since(start).Seconds())
			fmt.Fprintf(os.Stderr, "%d docs, %.0f docs/s\n", total, float64(total)/time.Since(start).Seconds())
		}
	}
	st := time.Now()
	if err := ix.Activate(t.Context(), vs[0].Name); err != nil { t.Fatal(err) }; if err := ix.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("refresh %v", time.Since(st))
}

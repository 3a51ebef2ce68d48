package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// The names of the sides.
const (
	sideKith    = "kith"
	sideService = "service"
	sideWithout = "without"
)

// Report is the result of a run.
type Report struct {
	Began   time.Time `json:"began"`
	Machine string    `json:"machine"`
	People  int       `json:"people"`
	Rows    []Row     `json:"rows"`
	Memory  Memory    `json:"memory"`
}

// Row is one shape on one engine.
type Row struct {
	Engine  string  `json:"engine"`
	Shape   string  `json:"shape"`
	Asks    string  `json:"asks"`
	Request Request `json:"request"`
	// Page is the number of the measured page, smaller than requested if there are fewer.
	Page int `json:"page"`
	// Found is the number of people on the page; Matches the total, a lower bound if Capped.
	Found   int  `json:"found"`
	Matches int  `json:"matches"`
	Capped  bool `json:"capped"`
	// Kith is the search over HTTP, Service the same in the process.
	Kith    Times `json:"kith"`
	Service Times `json:"service"`
	// Without is Kith over HTTP without close matches, if the shape requests them.
	Without Times `json:"without"`
	// Served is the cost of HTTP: Kith compared with Service.
	Served Compared `json:"served"`
	// Closest is the cost of close matches: Kith compared with Without.
	Closest Compared `json:"closest"`
	// FirstResult is the time until the first result of a stream, Stream until its end.
	FirstResult Times `json:"first_result"`
	Stream      Times `json:"stream"`
}

func (row *Row) note(sides []*side) {
	for _, s := range sides {
		times := Summarise(s.times)
		switch s.name {
		case sideKith:
			row.Kith = times
		case sideService:
			row.Service = times
		case sideWithout:
			row.Without = times
		}
	}
	row.Served = compare(row.Kith, row.Service)
	row.Closest = compare(row.Kith, row.Without)
}

// forReport shortens long parts that say nothing in a report.
func (r Request) forReport() Request {
	if len(r.List) > 3 {
		r.List = append(r.List[:3:3], fmt.Sprintf("… %d in all", len(r.List)))
	}
	if r.Cursor != "" {
		r.Cursor = "…"
	}
	return r
}

func (row Row) line() string {
	return fmt.Sprintf("%s, %s: %s, in the process %s", row.Engine, row.Shape, ms(row.Kith.Median),
		ms(row.Service.Median))
}

// Limits are limits for a report; 0 means none.
type Limits struct {
	// Median limits the median of every shape.
	Median time.Duration
	// Closest limits the time of a page with close matches relative to the same page without.
	// Matching does so for a page with enough matches, for which no close ones are searched.
	Closest, Matching float64
}

// Over lists what exceeds the limits, in sentences; empty if nothing does.
func (r Report) Over(l Limits) []string {
	var over []string
	for _, row := range r.Rows {
		if l.Median > 0 && row.Kith.Median > l.Median {
			over = append(over, fmt.Sprintf("over %s %q takes %s; the limit is %s", row.Engine, row.Shape, ms(row.Kith.Median),
				ms(l.Median)))
		}
		if most := l.closest(row); most > 0 && row.Closest.Median > most {
			over = append(over, fmt.Sprintf("over %s %q takes %.2f times what it takes without closest people; the limit is "+
				"%.2f",
				row.Engine, row.Shape, row.Closest.Median, most))
		}
	}
	return over
}

// closest returns the limit for the cost of close matches.
func (l Limits) closest(row Row) float64 {
	if row.Found <= row.Matches {
		return l.Matching
	}
	return l.Closest
}

// summary is one engine, with medians over all shapes.
type summary struct {
	engine      string
	served      Compared
	slowShape   string
	slow, first time.Duration
}

func (r Report) summaries() []summary {
	var out []summary
	for _, engine := range r.engines() {
		s := summary{engine: engine}
		var served []Compared
		var firsts []float64
		for _, row := range r.Rows {
			if row.Engine != engine {
				continue
			}
			served = append(served, row.Served)
			firsts = append(firsts, float64(row.FirstResult.Median))
			if row.Kith.Median > s.slow {
				s.slow, s.slowShape = row.Kith.Median, row.Shape
			}
		}
		s.served = overShapes(served)
		s.first = time.Duration(MedianOf(firsts))
		out = append(out, s)
	}
	return out
}

// engines lists the engines in the order of measurement.
func (r Report) engines() []string {
	var out []string
	seen := map[string]bool{}
	for _, row := range r.Rows {
		if !seen[row.Engine] {
			seen[row.Engine] = true
			out = append(out, row.Engine)
		}
	}
	return out
}

// WriteJSON writes the report as one JSON object.
func (r Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// WriteTable writes the report as tables for people. Times are in milliseconds.
func (r Report) WriteTable(w io.Writer) error {
	p := &printer{w: w}
	p.printf("%s\n%s, %d people\n", r.Began.Format(time.RFC3339), r.Machine, r.People)
	for _, s := range r.summaries() {
		p.printf("\n%s: Kith over HTTP and in the process, milliseconds\n\n", s.engine)
		p.rows(r.Rows, s.engine)
		p.printf("\nmedian over the shapes: kith/service %s\nslowest %s (%s); first streamed result %s\n",
			s.served, ms(s.slow), s.slowShape, ms(s.first))
	}
	for _, row := range r.Rows {
		if row.Closest.Median > 0 {
			p.printf("\n%s, %s: with closest people %s times the page without, which takes %s\n", row.Engine, row.Shape,
				row.Closest, ms(row.Without.Median))
		}
	}
	p.printf("\nmemory of this process: %s resident, %s at most, %s of it heap; %d goroutines\n",
		mib(r.Memory.Resident), mib(r.Memory.Peak), mib(r.Memory.Heap), r.Memory.Goroutines)
	return p.err
}

// printer stores the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func (p *printer) rows(rows []Row, engine string) {
	table := tabwriter.NewWriter(p.w, 0, 0, 2, ' ', tabwriter.AlignRight)
	inner := &printer{w: table}
	inner.printf("shape\tmatches\tkith\tservice\tkith/service\tkith p99\tservice p99\tfirst result\tn\t\n")
	for _, row := range rows {
		if row.Engine != engine {
			continue
		}
		inner.printf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t\n",
			title(row), matches(row), plainMS(row.Kith.Median), plainMS(row.Service.Median), ratio(row.Served.Median),
			plainMS(row.Kith.P99), plainMS(row.Service.P99), plainMS(row.FirstResult.Median), row.Kith.N)
	}
	if inner.err != nil {
		p.err = inner.err
		return
	}
	if err := table.Flush(); err != nil && p.err == nil {
		p.err = err
	}
}

func title(row Row) string {
	if row.Page > 1 {
		return fmt.Sprintf("%s (here %d)", row.Shape, row.Page)
	}
	return row.Shape
}

func matches(row Row) string {
	text := fmt.Sprint(row.Matches)
	if row.Capped {
		text += "+"
	}
	return text
}

func ratio(v float64) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", v)
}

func plainMS(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", float64(d)/float64(time.Millisecond))
}

func ms(d time.Duration) string { return strings.TrimSuffix(plainMS(d), "-") + " ms" }

func mib(bytes uint64) string { return fmt.Sprintf("%.0f MiB", float64(bytes)/(1<<20)) }

package analysis

import (
	"time"

	"kith/query"
)

// Judgement is a way to say that somebody is good at something, made from one
// number of the document. It orders people and never leaves anyone out.
type Judgement struct {
	// Name is the judgement in one word: "rising".
	Name string
	// Words are what says it in a search: folded words with blanks between.
	Words []string
	// Formula says how people are judged, for who sees the result.
	Formula string
	// Field is the number that orders people, highest first. People of whom it
	// cannot be said come last.
	Field query.Field

	atLeast int64
	// years are how many years back from today atLeast is meant.
	years int
}

// AtLeast is from which value of the field on the judgement holds of a person.
func (j Judgement) AtLeast(now time.Time) int64 {
	if j.years == 0 {
		return j.atLeast
	}
	return -dayOf(now.AddDate(-j.years, 0, 0))
}

// Judgements returns the judgements that there are. The slice is the caller's.
func Judgements() []Judgement {
	return []Judgement{
		{
			Name: "rising", Field: query.Rising, atLeast: 700,
			Words: []string{
				"rising", "rising star", "rising stars", "rising talent", "rising talents", "up and coming", "up and comer", "up and comers",
				"fast rising", "on the rise", "fast track", "high potential", "high potentials", "high flyer", "high flyers", "high flier",
				"high fliers", "promising", "emerging talent", "emerging talents", "emerging leader", "emerging leaders", "fast growing career",
			},
			Formula: "levels of seniority climbed a year from the first job to the beginning of the present one, and the more, the later that was",
		},
		{
			Name: "experienced", Field: query.Experienced, years: 10,
			Words: []string{
				"experienced", "very experienced", "most experienced", "highly experienced", "seasoned", "veteran", "veterans", "long experience",
				"a lot of experience", "lots of experience", "much experience", "old hand", "old hands",
			},
			Formula: "years since the first job; ten or more satisfy",
		},
		{
			Name: "loyal", Field: query.Loyal, years: 10,
			Words: []string{
				"loyal", "most loyal", "long serving", "longest serving", "long tenured", "longest tenured", "long time", "longtime", "long standing",
				"faithful",
			},
			Formula: "years of the unbroken stay at the present employer, plus the average stay at earlier ones; ten or more satisfy",
		},
		{
			Name: "connected", Field: query.Connected, atLeast: 2000,
			Words: []string{
				"connected", "well connected", "best connected", "most connected", "highly connected", "well networked", "networked", "strong network",
				"large network", "big network", "influential",
			},
			Formula: "for each employer the years there (at most five; three for the present one) times the doublings of its staff, and schools",
		},
		{
			Name: "founded", Field: query.Founded, atLeast: 2,
			Words: []string{
				"serial", "serial founder", "serial founders", "serial entrepreneur", "serial entrepreneurs", "repeat founder", "repeat founders",
				"repeat entrepreneur", "repeat entrepreneurs",
			},
			Formula: "companies of which the person was a founder; two or more satisfy",
		},
		{
			Name: "hops", Field: query.Hops, atLeast: 333,
			Words: []string{
				"job hopper", "job hoppers", "job hopping", "jobhopper", "jobhoppers", "frequent job changer", "frequent job changers", "hops jobs",
				"hop jobs", "changes jobs often", "change jobs often",
			},
			Formula: "changes of employer a year, of who had at least three; one in three years or more satisfies",
		},
		{
			Name: "standing", Field: query.Standing, atLeast: 600,
			Words: []string{
				"best", "the best", "top", "great", "leading", "talented", "strong", "strongest", "excellent", "outstanding", "exceptional", "brilliant",
				"accomplished", "amazing", "awesome", "impressive", "world class", "first class", "top tier", "top notch", "high caliber", "high calibre",
				"rockstar", "rock star", "rockstars", "rock stars", "superstar", "superstars", "star", "stars", "renowned", "prominent", "notable", "good",
			},
			Formula: "seniority of the present job, staff of the employer, years of career before it, education and skills on record",
		},
	}
}

package frame

// Kind is what the words of a mark are.
type Kind string

// The kinds.
const (
	Title       Kind = "title"       // an occupation with its qualifiers: senior backend engineers
	Function    Kind = "function"    // a function or department
	Level       Kind = "level"       // a level alone: directors
	Lead        Kind = "lead"        // the field of a person in charge: runs marketing
	Owner       Kind = "owner"       // owner, founder, or the verb for it
	Company     Kind = "company"     // a company by name
	Industry    Kind = "industry"    // a kind of company
	Size        Kind = "size"        // a company's size: the number or adjective
	Stage       Kind = "stage"       // a funding stage
	Founded     Kind = "founded"     // a company's year of foundation
	Skill       Kind = "skill"       // a skill, tool, certificate or spoken language
	Topic       Kind = "topic"       // a topic of work or of the profile
	School      Kind = "school"      // a school by name
	Degree      Kind = "degree"      // a degree
	Study       Kind = "field"       // a field of study
	Graduated   Kind = "graduated"   // a year of graduation
	Name        Kind = "name"        // a person's name
	Place       Kind = "place"       // a place
	Years       Kind = "years"       // a number of years
	When        Kind = "when"        // a date or period of an event
	Judgement   Kind = "judgement"   // a judgement that orders people
	Unsupported Kind = "unsupported" // what no record of people holds
	Network     Kind = "network"     // the asker's own network
	Cue         Kind = "cue"         // words for the order of jobs, or for a relation to other people
)

// Time selects the jobs of a person that a mark is about.
type Time string

// The times. Without one, a mark is about the present job.
const (
	Past     Time = "past"
	Any      Time = "any"
	Previous Time = "previous" // the job before the present one
)

// Side is what a place or a number of years belongs to.
type Side string

// The sides. Without one, a place is where a person lives, and years are years of experience.
const (
	CompanySide Side = "company" // a place: the company's seat
	AnySide     Side = "any"     // a place: of any job
	EitherSide  Side = "either"  // the words leave it open
	TenureSide  Side = "tenure"  // years: in the present job
)

// Bound is how a number limits.
type Bound string

// The bounds.
const (
	Min   Bound = "min"
	Max   Bound = "max"
	Equal Bound = "equal"
	About Bound = "about"
	Last  Bound = "last" // within the last …
	Word  Bound = "word" // no number, but an adjective such as small
)

// Event is what happened at a time.
type Event string

// The events.
const (
	Left   Event = "left"
	Joined Event = "joined"
	Became Event = "became"
	Held   Event = "held"
)

// How is what a cue says about jobs or other people. S1, S2 and S3 are the steps of its marks.
type How string

// The careers and relations.
const (
	Moved       How = "moved"    // from s1 to s2
	Then        How = "then"     // s1, later s2
	Promoted    How = "promoted" // from s1 to s2 within a company
	Returned    How = "returned"
	First       How = "first"
	Only        How = "only"
	Stay        How = "stay"
	AtLeast     How = "atleast" // at least so many of the steps
	Count       How = "count"
	Before      How = "previous"
	None        How = "none" // no present job
	Become      How = "became"
	Intro       How = "intro"
	Knows       How = "knows"
	WorkedWith  How = "worked_with"
	StudiedWith How = "studied_with"
	Other       How = "other"
)

// Reach is the part of the asker's network that a mark asks for.
type Reach string

// The parts.
const (
	Known        Reach = "1" // people the asker knows
	FriendsOf    Reach = "2" // people they know
	WholeNetwork Reach = "all"
)

// Join is how a mark continues the one before it of its kind.
type Join string

// The joins. Without one, a mark is a requirement of its own.
const (
	Or   Join = "or"
	Both Join = "both"
)

// MaxStep is the highest step of a mark.
const MaxStep = 3

// Mark says what some words of a prompt ask for. It holds no value: a resolver gives the words their meaning.
type Mark struct {
	Kind Kind
	// From and To are the range of the words in the prompt, in bytes; To is exclusive.
	From, To int
	// Time is for title, function, level, lead, owner, company, industry, size, stage and founded.
	Time Time
	// Side is for place and years.
	Side Side
	// How is for cues, and Reach for network.
	How   How
	Reach Reach
	// Step is 1 to 3 for a step of a career or the other person of a relation, and 0 for the people themselves.
	Step int
	// Bound is for years, size, founded and graduated, and Event for when.
	Bound Bound
	Event Event
	// Not is true if the words exclude.
	Not  bool
	Join Join
	// Optional is true for words that speak of a thing without asking for it.
	Optional bool
}

package lexicon

// Names of cues: what the words say of what stands beside them.
const (
	CueAt     = "at"     // at, works for: a current job there
	CueWorked = "worked" // worked at, has worked for: any job there
	CueIn     = "in"     // in, based in, near: a place, an industry, a function
	CueFrom   = "from"   // from: a place, a past company, a school
	CueWith   = "with"   // with, who have, having
	CueWithin = "within" // experience with, skilled in, knows: a skill
	CueOf     = "of"
	CueOn     = "on"
	CueFor    = "for"
	CueTo     = "to"
	CueBased  = "based" // behind a place: Berlin-based, headquartered

	CueEx         = "ex"         // ex-X
	CueFormer     = "former"     // former, past, one-time: of the title or company that follows
	CueFormerly   = "formerly"   // formerly at, previously, used to work at: what follows is past
	CueUsedToBe   = "used_to_be" // used to be, was a, once was: a past title follows
	CueLeft       = "left"       // left, departed: a past company follows
	CueAlumni     = "alumni"     // alumni, graduates: of a school or a company, before or behind it
	CueNow        = "now"        // now, currently, who are
	CueNowAt      = "now_at"     // now at, currently working for
	CuePrevious   = "previous"   // previous job, last role: the one before the current stay
	CueFirstJob   = "first_job"  // first job, started their career
	CueNever      = "never"      // never worked at
	CueNot        = "not"        // not, non-, but not, aren't
	CueWithout    = "without"    // without, lacking
	CueExcept     = "except"     // except, excluding, other than
	CueOutside    = "outside"    // outside: not in the place that follows
	CueOr         = "or"
	CueAnd        = "and"
	CueBoth       = "both"
	CueEither     = "either"
	CueNor        = "nor"
	CueBut        = "but"
	CueAlso       = "also"
	CueThen       = "then"
	CueWho        = "who"   // who, that, which: begins a clause
	CueWhoseFirm  = "whose" // whose company, whose employer
	CueMovedFrom  = "moved_from"
	CueMovedTo    = "moved_to"
	CueJoined     = "joined"   // joined: when, or which company
	CueReturned   = "returned" // came back to, rejoined, boomerang
	CuePromoted   = "promoted"
	CueWorkedWith = "worked_with" // worked with, colleagues of
	CueColleague  = "former_colleague"
	CueSameSchool = "same_school"
	CueSameFirm   = "same_company"
	CueStudied    = "studied"    // studied at, graduated from, attended: a school, or what was studied
	CueGraduated  = "graduated"  // graduated in, class of: a year
	CueDegree     = "degree_in"  // degree in, majored in: a field of study
	CueFounded    = "founded"    // founded, started: a person's company
	CueFoundedIn  = "founded_in" // founded in, established after: a company's year
	CueReportsTo  = "reports_to"
	CueKnows      = "knows" // connected to, in my network
	CueNamed      = "named" // named, called: a person's name follows
	CueTitled     = "titled"
	CueSpeaks     = "speaks" // speaks, fluent in: a language
	CueSeat       = "seat"   // headquartered in: the seat of the company

	CueMore      = "more"      // more than, over
	CueLess      = "less"      // fewer than, under
	CueAtLeast   = "at_least"  // at least, minimum
	CueAtMost    = "at_most"   // at most, up to
	CueBetween   = "between"   // between, from … to
	CueAbout     = "about"     // about, around, roughly: a number
	CueSince     = "since"     // since 2019
	CueAfter     = "after"     // after 2019
	CueBefore    = "before"    // before 2019
	CueUntil     = "until"     // until 2019
	CueInLast    = "in_last"   // in the last … years
	CueAgo       = "ago"       // … years ago
	CueYears     = "years"     // years, yrs
	CueMonths    = "months"    // months
	CueYearsExp  = "years_exp" // years of experience, yoe
	CueExp       = "exp"       // experience
	CueTenure    = "tenure"    // in their current role, at their company: how long
	CueEmployees = "employees" // employees, headcount, person company
	CueRecently  = "recently"  // recently, newly
	CueLongTime  = "long_time"
)

// Names of judgements.
const (
	JudgeRising      = "rising"
	JudgeExperienced = "experienced"
	JudgeConnected   = "well_connected"
	JudgeBest        = "best"
	JudgeLoyal       = "loyal"
	JudgeSerial      = "serial_founder"
	JudgeHopper      = "job_hopper"
	JudgeInfluential = "influential"
	JudgeVersatile   = "versatile"
	JudgeSpecialised = "specialised"
	JudgeNewToRole   = "new_to_role"
	JudgeEducated    = "highly_educated"
	JudgeNotable     = "notable_employers"
)

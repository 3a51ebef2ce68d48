package lexicon

// NoDegree is the Name of senses of type [Degree] for people without a degree.
const NoDegree = "no_degree"

// Names of judgements: Name of senses of type [Judgement]. The planner does more than add a note
// for these; the others are only in judgements.tsv.
const (
	JudgeRising      = "rising"
	JudgeExperienced = "experienced"
	JudgeConnected   = "well_connected"
	JudgeBest        = "best"
	JudgeLoyal       = "loyal"
	JudgeSerial      = "serial_founder"
	JudgeHopper      = "job_hopper"
	JudgeInfluential = "influential"
	JudgeNewToRole   = "new_to_role"
	JudgeNotable     = "notable_employers"
)

package lexicon

// NoDegree is the Name of senses of type [Degree] that say that somebody has none.
const NoDegree = "no_degree"

// Names of judgements, the Name of senses of type [Judgement], of which the
// planner makes more than a note; the others stand in judgements.tsv only.
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

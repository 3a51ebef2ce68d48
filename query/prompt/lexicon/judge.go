package lexicon

// Names of judgements, the Name of senses of type [Judgement].
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

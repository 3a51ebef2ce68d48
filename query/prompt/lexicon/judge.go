package lexicon

const (
	// NoDegree is the Name of senses of type [Degree] for people without a degree.
	NoDegree = "no_degree"
	// JudgeNewToRole is the Name of a sense of type [Judgement] that also asks for a short tenure.
	JudgeNewToRole = "new_to_role"
	// JudgeSerial is the Name of a sense of type [Judgement] that also asks for founders.
	JudgeSerial = "founded"
)

package segment

import "kith/query/prompt/rules/cue"

// fits rates what a cue right before a reading says for a reading of a group.
func fits(c cue.Cue, group Group) float64 {
	switch c {
	case cue.In:
		return rate(group, rates{GroupPlace: 2, GroupIndustry: 0.5, GroupFunction: 2, GroupCompany: -0.5, GroupName: -1.5, GroupRole: -1})
	case cue.Near, cue.Lives, cue.Seat:
		return rate(group, rates{GroupPlace: 3, GroupCompany: -1, GroupName: -2, GroupRole: -1})
	case cue.At:
		return rate(group, rates{GroupCompany: 3, GroupIndustry: 1.5, GroupSchool: 1, GroupPlace: -1.5, GroupRole: -1, GroupName: -2, GroupFunction: -1})
	case cue.For, cue.NotAt:
		return rate(group, rates{GroupCompany: 2, GroupIndustry: 0.5, GroupName: -1})
	case cue.From:
		return rate(group, rates{GroupCompany: 1, GroupPlace: 1, GroupSchool: 1, GroupName: -1})
	case cue.Of:
		return rate(group, rates{GroupFunction: 0.5, GroupCompany: 1, GroupSchool: 0.5})
	case cue.With:
		return rate(group, rates{GroupSkill: 1, GroupStudy: 1})
	case cue.Know:
		return rate(group, rates{GroupSkill: 2.5, GroupName: -2, GroupPlace: -3})
	case cue.Past:
		return rate(group, rates{GroupCompany: 1, GroupRole: 1})
	case cue.Left, cue.Joined, cue.PreviousJob, cue.CameBack, cue.Promoted, cue.Moved, cue.MovedTo:
		return rate(group, rates{GroupCompany: 2.5, GroupIndustry: 1, GroupName: -1})
	case cue.Alumni:
		return rate(group, rates{GroupSchool: 2.5, GroupCompany: 2, GroupPlace: -1})
	case cue.Studied:
		return rate(group, rates{
			GroupSchool: 3, GroupStudy: 2.5, GroupPlace: -1, GroupCompany: -1, GroupSkill: -2, GroupIndustry: -3, GroupFunction: -3, GroupRole: -3,
		})
	case cue.Majored:
		return rate(group, rates{GroupStudy: 3, GroupSchool: 1, GroupSkill: -2, GroupFunction: -2, GroupIndustry: -2})
	case cue.Work, cue.As:
		return rate(group, rates{GroupRole: 1})
	case cue.Leads:
		return rate(group, rates{GroupFunction: 2, GroupCompany: 0.5})
	case cue.Named:
		return rate(group, rates{GroupName: 5})
	case cue.By:
		return rate(group, rates{GroupName: 2, GroupCompany: 1})
	case cue.WorkedWith, cue.Colleague, cue.ExColleague, cue.SameSchool:
		return rate(group, rates{GroupName: 3, GroupRole: 1, GroupPlace: -1})
	}
	return 0
}

type rates map[Group]float64

func rate(group Group, r rates) float64 { return r[group] }

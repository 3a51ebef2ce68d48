package segment

import (
	"sync"

	"kith/query/prompt/rules/cue"
)

// fits rates what a cue right before a reading says for a reading of a group.
func fits(c cue.Cue, group Group) float64 { return ratings()[c][group] }

type rates map[Group]float64

// ratings are what each cue says for readings of each group, set by hand.
//
//nolint:gochecknoglobals // a memoised table, not state
var ratings = sync.OnceValue(func() map[cue.Cue]rates {
	return map[cue.Cue]rates{
		cue.In:          {GroupPlace: 2, GroupIndustry: 0.5, GroupFunction: 2, GroupCompany: -0.5, GroupName: -1.5, GroupRole: -1},
		cue.Near:        {GroupPlace: 3, GroupCompany: -1, GroupSchool: -1, GroupName: -2, GroupRole: -1},
		cue.Lives:       {GroupPlace: 3, GroupCompany: -1, GroupSchool: -1, GroupName: -2, GroupRole: -1},
		cue.Seat:        {GroupPlace: 3, GroupCompany: -1, GroupSchool: -1, GroupName: -2, GroupRole: -1},
		cue.At:          {GroupCompany: 3, GroupIndustry: 1.5, GroupSchool: 1, GroupPlace: -1.5, GroupRole: -1, GroupName: -2, GroupFunction: -1},
		cue.For:         {GroupCompany: 2, GroupPlace: 1, GroupIndustry: 0.5, GroupName: -1},
		cue.Rivals:      {GroupCompany: 3, GroupIndustry: 1, GroupName: -1},
		cue.NotAt:       {GroupCompany: 2, GroupIndustry: 0.5, GroupName: -1},
		cue.From:        {GroupCompany: 1, GroupPlace: 1, GroupSchool: 1, GroupName: -1},
		cue.Of:          {GroupFunction: 0.5, GroupCompany: 1, GroupSchool: 0.5},
		cue.With:        {GroupSkill: 1, GroupStudy: 1, GroupPlace: -1},
		cue.Know:        {GroupSkill: 2.5, GroupName: -2, GroupPlace: -3, GroupIndustry: -2, GroupStudy: -2},
		cue.Past:        {GroupCompany: 1, GroupRole: 1},
		cue.Left:        {GroupCompany: 2.5, GroupIndustry: 1, GroupName: -1},
		cue.Joined:      {GroupCompany: 2.5, GroupIndustry: 1, GroupName: -1},
		cue.PreviousJob: {GroupCompany: 2.5, GroupIndustry: 1, GroupName: -1, GroupFunction: 2, GroupRole: 1},
		cue.CameBack:    {GroupCompany: 2.5, GroupIndustry: 1, GroupName: -1},
		cue.Promoted:    {GroupCompany: 2.5, GroupIndustry: 1, GroupName: -1},
		cue.Moved:       {GroupCompany: 2.5, GroupIndustry: 1, GroupName: -1, GroupFunction: 2, GroupRole: 1},
		cue.MovedTo:     {GroupCompany: 2.5, GroupIndustry: 1, GroupName: -1},
		cue.Alumni:      {GroupSchool: 2.5, GroupCompany: 2, GroupPlace: -1},
		cue.Studied:     {GroupSchool: 3, GroupStudy: 2.5, GroupPlace: -1, GroupCompany: -1, GroupSkill: -2, GroupIndustry: -3, GroupFunction: -3, GroupRole: -3},
		cue.Majored:     {GroupStudy: 3, GroupSchool: 1, GroupSkill: -2, GroupFunction: -2, GroupIndustry: -2},
		cue.Work:        {GroupRole: 1},
		cue.Not:         {GroupRole: 1},
		cue.As:          {GroupRole: 1},
		cue.Leads:       {GroupFunction: 2, GroupCompany: 0.5},
		cue.Named:       {GroupName: 5},
		cue.By:          {GroupName: 2, GroupCompany: 1},
		cue.WorkedWith:  {GroupName: 3, GroupRole: 1, GroupPlace: -1},
		cue.Colleague:   {GroupName: 3, GroupRole: 1, GroupPlace: -1},
		cue.ExColleague: {GroupName: 3, GroupRole: 1, GroupPlace: -1},
		cue.SameSchool:  {GroupName: 3, GroupRole: 1, GroupPlace: -1},
	}
})

package relax

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/taxonomy"
	"kith/query/tokenizer"
)

// nextLevels returns the requested levels with those right above and below. Founders and partners have none.
func nextLevels(u unit) []rung {
	all := taxonomy.Seniorities()
	ladder := all[:slices.Index(all, taxonomy.LevelCXO)+1]
	var levels []string
	for i, level := range all {
		next := func(at int) bool {
			return i < len(ladder) && at >= 0 && at < len(ladder) && slices.Contains(u.texts, ladder[at])
		}
		if slices.Contains(u.texts, level) || next(i-1) || next(i+1) {
			levels = append(levels, level)
		}
	}
	if len(levels) == len(u.texts) {
		return nil
	}
	text := strings.Join(levels, ", ")
	return []rung{{cost: costOfLevel, instead: query.Filters{u.info.Name: text}, says: text}}
}

// functionAndLevel returns the functions and levels of titles if the titles say little else. At a named company it
// returns the functions of any titles: who looks for its head of design may ask its designers.
func (r relaxer) functionAndLevel(u unit) []rung {
	little := !slices.ContainsFunc(u.texts, func(title string) bool { return !namesFunction(title) })
	function, seniority := findFilter(u.info.Path, query.Function), findFilter(u.info.Path, query.Seniority)
	var functions, levels []string
	for _, title := range u.texts {
		functions = append(functions, taxonomy.FunctionsOf(title)...)
		levels = append(levels, taxonomy.Levels(title)...)
	}
	if function == "" || len(functions) == 0 || !little && !r.company {
		return nil
	}
	asked := strings.Join(tokenizer.AppendNew(nil, functions), ", ")
	way := rung{
		cost: costOfFunction, step: broad, says: "function: " + asked, instead: query.Filters{function: asked},
	}
	if !r.company && len(levels) > 0 && seniority != "" {
		way.instead[seniority] = strings.Join(tokenizer.AppendNew(nil, levels), ", ")
		way.says += "; seniority: " + way.instead[seniority]
	}
	return []rung{way}
}

// qualifierAsSkill returns a title of two words or more without its first, which becomes a skill: a Rust developer is a
// developer, or does that kind of work, and knows Rust; last, any developer.
func (r relaxer) qualifierAsSkill(u unit) []rung {
	skills, function := findFilter(u.info.Path, query.Skill), findFilter(u.info.Path, query.Function)
	if skills == "" {
		skills = query.FilterSkills
	}
	if u.info.Field != query.Title || len(u.texts) == 0 {
		return nil
	}
	first, rest, ok := strings.Cut(u.texts[0], " ")
	functions := taxonomy.FunctionsOf(rest)
	if !ok || len(taxonomy.Levels(first)) > 0 || len(functions) == 0 {
		return nil
	}
	title := query.Alternative{Text: rest, Phrase: strings.Contains(rest, " ")}.String()
	unqualified := rung{
		step: lost, cost: costOfQualifier + costOfLess, says: title, instead: query.Filters{u.info.Name: title},
	}
	if len(taxonomy.FunctionsOf(first)) > 0 { // no skill: an SAP sales manager, but no engineer for a sales engineer
		if isSameWork(u.texts[0], rest) {
			return []rung{unqualified}
		}
		return nil
	}
	knows := query.Alternative{Text: first}.String()
	rungs := []rung{{
		step: near, cost: costOfQualifier, says: title + ", skills: " + knows,
		instead: query.Filters{u.info.Name: title, skills: knows},
	}}
	if function != "" {
		rungs = append(rungs, rung{
			step: near, cost: 2 * costOfQualifier, says: "function: " + functions[0] + ", skills: " + knows,
			instead: query.Filters{function: functions[0], skills: knows},
		})
	}
	return append(rungs, unqualified)
}

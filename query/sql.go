package query

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxLiterals is the maximum number of values of one set that a [Statement] contains. A larger set
// becomes a setting: see [Statement.SQL].
const MaxLiterals = 1000

// Statement is a search as one PostgreSQL statement.
type Statement struct {
	// Stages are the search's conditions in order, lowered (index.Lower) as for the engine: without any [Timeline].
	// Everyone who satisfies one of them satisfies the last.
	Stages []Query
	// Checked are the timelines that Kith checks on the people the statement finds. The statement names them in a
	// comment.
	Checked []Timeline
	// SortBy orders the people of a stage, highest first; empty means Rank.
	SortBy Field
	// First are sets of people to put before everyone else, in order. With Only, the statement finds nobody outside
	// them.
	First []Set
	Only  bool
	// Scores are the entries of a list. The score is the first sort key, highest first.
	Scores []Scored
	// Limit and Offset select a range of the search's people; a Limit of 0 means no limit.
	Limit, Offset int
}

// SQL returns one SELECT over the views people_search and people_search_nested (described in
// package mappings) that finds the same people in the same order. PostgreSQL can run it unchanged,
// with standard_conforming_strings on, its default.
//
// Long arrays are columns of a subquery, list_1, list_2 and so on, so that each is written once. Those of more than
// 1,000 values, such as specific lists, are not written out. They are settings: list_1 is kith.list_1. The comment
// before the statement gives the number of values of each. Set it to an array literal to run the statement; if unset,
// it matches nobody.
//
// PostgreSQL cannot evaluate a [Timeline]. The statement finds everyone who may match it, and the
// comment before it names the checks that follow.
func (s Statement) SQL() string {
	stages := make([]Query, len(s.Stages))
	for i, q := range s.Stages {
		stages[i] = Simplify(q)
	}
	w := &sqlWriter{row: "p"}
	w.write("\nWHERE ")
	w.condition(stages[len(stages)-1])
	near := w.sets(s.First)
	if s.Only {
		w.restrictTo(near)
	}
	w.write("\nORDER BY ")
	w.byScore(s.Scores)
	w.order(len(near), func(i int) { w.write(near[i]) })
	w.order(len(stages)-1, func(i int) { w.condition(stages[i]) })
	if s.SortBy == "" || s.SortBy == Rank {
		w.write("p.rank DESC, p.id")
	} else {
		w.write("p." + Column(s.SortBy) + " DESC NULLS LAST, p.id")
	}
	if s.Limit > 0 {
		w.write("\nLIMIT " + strconv.Itoa(s.Limit))
	}
	if s.Offset > 0 {
		w.write("\nOFFSET " + strconv.Itoa(s.Offset))
	}
	return s.checks() + w.comment() + "SELECT p.id, p.full_name, p.record\nFROM people_search p" + w.lists() +
		w.b.String()
}

// checks describes the checks that follow the statement, as SQL comments.
func (s Statement) checks() string {
	var b strings.Builder
	for _, t := range s.Checked {
		text := strings.NewReplacer("*/", "* /", "/*", "/ *").Replace(String(t))
		b.WriteString("/* checked of each person found: " + text + " */\n")
	}
	return b.String()
}

// order writes a sort key: the number of the first of n conditions that a person satisfies, n for none.
func (w *sqlWriter) order(n int, condition func(i int)) {
	if n == 0 {
		return
	}
	w.write("CASE")
	for i := range n {
		w.write(" WHEN ")
		condition(i)
		w.write(" THEN " + strconv.Itoa(i))
	}
	w.write(" ELSE " + strconv.Itoa(n) + " END, ")
}

// longestTerm is the length in bytes up to which a term is stored unhashed: an entry of a GIN index may have 2,700.
const longestTerm = 500

// isLong reports whether the end of a term is hashed.
func isLong(f Field, value string) bool { return len(f)+1+len(value) > longestTerm }

// SQLTerm returns the term of a field's value in a row: see package mappings.
func SQLTerm(f Field, value string) string {
	return string(AppendSQLTerm(nil, f, value))
}

// AppendSQLTerm appends what [SQLTerm] returns.
func AppendSQLTerm(to []byte, f Field, value string) []byte {
	if !isLong(f, value) {
		return append(append(append(to, f...), ':'), value...)
	}
	sum := sha256.Sum256([]byte(value))
	t := string(f) + ":" + value
	return append(append(append(to, strings.ToValidUTF8(t[:100], "")...), '#'), hex.EncodeToString(sum[:])...)
}

// Storable reports whether PostgreSQL text can hold a value. No stored value fails this, so a query
// for an unstorable value matches nobody.
func Storable(v string) bool { return utf8.ValidString(v) && !strings.Contains(v, "\x00") }

// literal quotes text as an SQL string. It drops NUL, which PostgreSQL text cannot hold, and invalid UTF-8.
func literal(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "")
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// likeLiteral quotes a LIKE pattern: the pattern before, then anything that contains s literally.
func likeLiteral(before, s string) string {
	return literal(before + "%" + escapeLike(s) + "%")
}

// escapeLike returns the part of a LIKE pattern that matches s literally.
func escapeLike(s string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s)
}

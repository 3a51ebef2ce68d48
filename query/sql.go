package query

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxLiterals is how many values of one set stand in a [Statement]. A larger set
// is written as a setting: see [Statement.SQL].
const MaxLiterals = 1000

// Statement is a search as one PostgreSQL statement says it.
type Statement struct {
	// Stages are the conditions of the search, lowered (index.Lower), in order, as
	// the engine is asked for them: without any [Timeline].
	Stages []Query
	// Checked are the timelines that the people whom the statement finds are checked
	// for after it. A comment says them.
	Checked []Timeline
	// SortBy orders the people of a stage, highest first; empty means Rank.
	SortBy Field
	// First are sets of people who come before everyone else, those of the first
	// set first; with Only no one else comes.
	First []Set
	Only  bool
	// Scores are the entries of a list: the highest score comes before all else.
	Scores []Scored
	// Limit and Offset say which people of the whole walk; no limit where 0.
	Limit, Offset int
}

// SQL returns one SELECT over the views people_search and
// people_search_nested (package mappings describes them) that finds the same
// people in the same order. PostgreSQL parses and plans it as it stands, with
// standard_conforming_strings on, its default.
//
// A set of more than 1,000 values, as a specific list makes, is not written
// out: it stands as current_setting('kith.list_1', true), kith.list_2 and so
// on, and the comment before the statement says how many values each stands
// for. Set it to an array literal to run the statement; left unset it finds no
// one.
//
// A [Timeline] is not asked of Postgres: the statement finds everyone of whom it
// may hold, and a comment before it says what they are checked for.
func (s Statement) SQL() string {
	stages := make([]Query, len(s.Stages))
	for i, q := range s.Stages {
		stages[i] = Simplify(q)
	}
	w := &sqlWriter{row: "p"}
	w.write("SELECT p.id, p.full_name, p.record\nFROM people_search p\nWHERE ")
	w.condition(Simplify(Or{Parts: stages}))
	near := w.sets(s.First)
	if s.Only {
		w.only(near)
	}
	w.write("\nORDER BY ")
	w.byScore(s.Scores)
	w.first(near)
	w.stageOrder(stages)
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
	return s.checks() + w.comment() + w.b.String()
}

// checks says what follows the statement.
func (s Statement) checks() string {
	var b strings.Builder
	for _, t := range s.Checked {
		said := strings.NewReplacer("*/", "* /", "/*", "/ *").Replace(String(t))
		b.WriteString("/* checked of each person found: " + said + " */\n")
	}
	return b.String()
}

// stageOrder writes which stage a person belongs to: the first that holds.
func (w *sqlWriter) stageOrder(stages []Query) {
	if len(stages) < 2 {
		return
	}
	w.write("CASE")
	for i, q := range stages[:len(stages)-1] {
		w.write(" WHEN ")
		w.condition(q)
		w.write(" THEN " + strconv.Itoa(i))
	}
	w.write(" ELSE " + strconv.Itoa(len(stages)-1) + " END, ")
}

// comment names the settings that stand for long sets.
func (w *sqlWriter) comment() string {
	if len(w.lists) == 0 {
		return ""
	}
	var b strings.Builder
	for i, n := range w.lists {
		b.WriteString("/* " + listSetting(i) + ": an array literal of " + strconv.Itoa(n) + " values */\n")
	}
	return b.String()
}

func listSetting(i int) string { return "kith.list_" + strconv.Itoa(i+1) }

// longestTerm is the length in bytes up to which a term stands as it is: an
// entry of a GIN index may have 2,700.
const longestTerm = 500

// isLong reports whether a hash stands for the end of a term.
func isLong(f Field, value string) bool { return len(f)+1+len(value) > longestTerm }

// SQLTerm is how a value of a field stands among the terms of a row: see package
// mappings.
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

// Storable reports whether PostgreSQL text can hold a value. Nothing that is stored
// has one that it cannot, so whoever asks for it finds nobody.
func Storable(v string) bool { return utf8.ValidString(v) && !strings.Contains(v, "\x00") }

// literal quotes text as an SQL string. NUL, which PostgreSQL text cannot
// hold, goes, and so do bytes that are not UTF-8.
func literal(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "")
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// likeLiteral quotes a pattern of LIKE that begins with before, in which s, taken
// literally, stands somewhere behind.
func likeLiteral(before, s string) string {
	escaped := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), `%`, `\%`), `_`, `\_`)
	return literal(before + "%" + escaped + "%")
}

package token

import "strings"

// joinLegalForms takes the comma before a legal form for part of the name that
// it ends: Acme, Inc.; Acme Co., Ltd.
func joinLegalForms(tokens []Token) {
	for i := 1; i < len(tokens); i++ {
		t := &tokens[i]
		if strings.Contains(t.Gap, ",") && strings.Trim(t.Gap, ".,") == "" && beginsLegalForm(tokens[i:]) {
			t.Gap = ""
		}
	}
}

// beginsLegalForm reports whether tokens begin with a legal form that is written
// behind a comma and is nothing else: not CO, which is Colorado.
func beginsLegalForm(tokens []Token) bool {
	switch t := tokens[0]; t.Norm {
	case "inc", "incorporated", "llc", "llp", "ltd", "gmbh", "plc", "corp":
		return true
	case "limited":
		return t.Capital()
	case "pty", "pvt", "pte":
		return len(tokens) > 1 && (tokens[1].Norm == "ltd" || tokens[1].Norm == "limited")
	}
	switch strings.ToLower(tokens[0].Text) {
	case "s.a", "s.l", "s.p.a", "s.r.l", "l.l.c":
		return true
	}
	return false
}

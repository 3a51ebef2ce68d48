package token

import (
	"strings"

	"kith/query/analysis"
)

// joinLegalForms drops the comma before a legal form, which is part of the name: Acme, Inc.; Acme Co., Ltd.
func joinLegalForms(tokens []Token) {
	for i := 1; i < len(tokens); i++ {
		t := &tokens[i]
		if t.Kind != Word || !strings.Contains(t.Gap, ",") || strings.Trim(t.Gap, ".,") != "" {
			continue
		}
		two := i+1 < len(tokens) && tokens[i+1].Gap == "" && analysis.EndsName(t.Text+" "+tokens[i+1].Text)
		if two || analysis.EndsName(t.Text) {
			t.Gap = ""
		}
	}
}

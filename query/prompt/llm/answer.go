package llm

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
)

// answer is the model's part of an interpretation. Kith itself sets formulas, limits, spans and modes.
type answer struct {
	Filters   []filter    `json:"filters"`
	Steps     []step      `json:"steps"`
	Relations []relation  `json:"relations"`
	Criteria  []criterion `json:"criteria"`
}

type filter struct {
	Field string `json:"field"`
	Value string `json:"value"`
	Text  string `json:"text"`
}

type step struct {
	Text      string     `json:"text"`
	Filters   []filter   `json:"filters"`
	Relations []relation `json:"relations"`
}

type relation struct {
	Kind     string   `json:"kind"`
	Step     int      `json:"step"`
	Text     string   `json:"text"`
	Jobs     []filter `json:"jobs"`
	Past     bool     `json:"past"`
	Current  bool     `json:"current"`
	Excluded bool     `json:"excluded"`
}

type criterion struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// decode parses the model's answer. It rejects unknown members, duplicate members and invalid
// UTF-8. It removes the code fence that many models put around JSON.
func decode(content string) (answer, error) {
	content = strings.TrimSpace(content)
	if inner, fenced := strings.CutPrefix(content, "```"); fenced {
		content = strings.TrimSuffix(strings.TrimPrefix(inner, "json"), "```")
	}
	var a answer
	if err := json.Unmarshal([]byte(content), &a, json.RejectUnknownMembers(true)); err != nil {
		// The error quotes the answer, which may quote the prompt.
		return a, fmt.Errorf("%w: it is not JSON of the schema", errAnswer)
	}
	return a, nil
}

package llm

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
)

// answer is what a model may say: an interpretation without what is Kith's own
// to say (formulas, limits, spans and modes).
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

// decode reads what a model wrote. Members that the schema does not have,
// members that come twice and text that is not UTF-8 are refused. Many models
// put a fence around JSON, which is taken off.
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

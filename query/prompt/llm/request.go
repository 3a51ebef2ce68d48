package llm

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"kith/query"
	"kith/query/analysis"
)

// instructions tell the model what to do. They name every filter, kind of relation and judgement.
//
//go:embed instructions.txt
var instructions string

// object is a JSON object.
type object = map[string]any

// chat is a request for a chat completion.
type chat struct {
	Model          string    `json:"model"`
	Messages       []message `json:"messages"`
	Temperature    float64   `json:"temperature"`
	MaxTokens      int       `json:"max_tokens"`
	ResponseFormat object    `json:"response_format"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// requestFor returns the request for a prompt. The prompt is a value in a JSON document, so that
// its form cannot make it look like an instruction.
func requestFor(model, text string) chat {
	data, err := json.Marshal(object{"prompt": text})
	if err != nil {
		data = nil // a map of one string is always JSON
	}
	return chat{
		Model: model, MaxTokens: maxTokens,
		Messages: []message{{"system", withJudgements(instructions)}, {"user", string(data)}},
		ResponseFormat: object{
			"type":        "json_schema",
			"json_schema": object{"name": "interpretation", "strict": true, "schema": schema()},
		},
	}
}

// withJudgements inserts the judgements and their formulas into the instructions.
func withJudgements(text string) string {
	var b strings.Builder
	for _, j := range analysis.Judgements() {
		b.WriteString("- " + j.Name + ": " + j.Formula + "\n")
	}
	return strings.Replace(text, "{{judgements}}\n", b.String(), 1)
}

// schema is the JSON Schema of an answer. Endpoints that enforce a schema demand that every member
// is required and no others are allowed.
func schema() object {
	all := []string{}
	for _, info := range query.FilterTable() {
		all = append(all, string(info.Name))
	}
	filters := list(filterSchema(all))
	relations := list(closedObject(object{
		"kind": enum(relationKinds()), "step": object{"type": "integer"}, "text": object{"type": "string"},
		"jobs": list(filterSchema(jobFilters())), "past": object{"type": "boolean"}, "current": object{"type": "boolean"},
		"excluded": object{"type": "boolean"},
	}))
	names := []string{}
	for _, j := range analysis.Judgements() {
		names = append(names, j.Name)
	}
	return closedObject(object{
		"filters":   filters,
		"steps":     list(closedObject(object{"text": object{"type": "string"}, "filters": filters, "relations": relations})),
		"relations": relations,
		"criteria":  list(closedObject(object{"name": enum(names), "text": object{"type": "string"}})),
	})
}

// filterSchema returns the schema of a filter with one of the names.
func filterSchema[T ~string](names []T) object {
	return closedObject(object{"field": enum(names), "value": object{"type": "string"}, "text": object{"type": "string"}})
}

func enum[T ~string](values []T) object { return object{"type": "string", "enum": values} }

func list(items object) object { return object{"type": "array", "items": items} }

// closedObject returns the schema of an object with exactly these members.
func closedObject(members object) object {
	required := slices.Sorted(maps.Keys(members))
	return object{"type": "object", "properties": members, "required": required, "additionalProperties": false}
}

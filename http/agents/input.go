package agents

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// identifier is an id, as a number or as text, or another way to name something, such as a profile URL. Answers have
// ids as text: in one form with profile URLs and e-mail addresses, and safe from programs that round numbers.
type identifier string

// UnmarshalJSON implements [json.Unmarshaler].
func (i *identifier) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] != '"' {
		*i = identifier(text)
		return nil
	}
	return json.Unmarshal(text, (*string)(i))
}

// number returns the id that an identifier is; ok is false if it is none.
func (i identifier) number() (id int64, ok bool) {
	id, err := strconv.ParseInt(strings.TrimSpace(string(i)), 10, 64)
	return id, err == nil && id > 0
}

func texts(all []identifier) []string {
	out := make([]string, len(all))
	for i, one := range all {
		out[i] = string(one)
	}
	return out
}

// id writes an id as answers have it.
func id(n int64) string { return strconv.FormatInt(n, 10) }

// score rounds a score to one decimal.
func score(f float64) float64 { return math.Round(f*10) / 10 }

// filters are the filters of a search by name.
type filters map[string]string

// schemas describes the types of inputs that are not as Go has them.
func (cfg Config) schemas() map[reflect.Type]*jsonschema.Schema {
	text := &jsonschema.Schema{Type: "string"}
	all := &jsonschema.Schema{
		Type: "object", AdditionalProperties: text, Properties: map[string]*jsonschema.Schema{},
	}
	for name, about := range cfg.Filters {
		all.Properties[name] = &jsonschema.Schema{Type: "string", Description: about}
	}
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[identifier](): {Types: []string{"string", "integer"}},
		reflect.TypeFor[filters]():    all,
	}
}

// limitIn is the input of a tool that returns a list.
type limitIn struct {
	Limit int `json:"limit,omitempty" jsonschema:"entries at most: 1 to 200; 50 where absent"`
}

// Limits of lists.
const (
	defaultEntries = 50
	maxEntries     = 200
)

// limit returns a given number, or the default for 0.
func limit(given, normal, most int) (int, error) {
	switch {
	case given == 0:
		return normal, nil
	case given < 0 || given > most:
		return 0, fmt.Errorf("limit must be between 1 and %d (got %d)", most, given)
	}
	return given, nil
}

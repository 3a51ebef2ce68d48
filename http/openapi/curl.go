package openapi

import (
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// codeSamples is the member of an operation that documentation viewers show as code.
const codeSamples = "x-codeSamples"

// operation has the parts of an operation for a curl command.
type operation struct {
	Parameters  []parameter           `yaml:"parameters"`
	Security    []map[string][]string `yaml:"security"`
	RequestBody struct {
		Content map[string]struct {
			Examples yaml.Node `yaml:"examples"`
		} `yaml:"content"`
	} `yaml:"requestBody"`
}

type parameter struct {
	Name     string `yaml:"name"`
	In       string `yaml:"in"`
	Required bool   `yaml:"required"`
	Example  string `yaml:"example"`
}

// addCurl adds a curl command to an operation, with its method, path, credential and first example body.
func addCurl(method, path string, op, _ *yaml.Node) error {
	command, err := curl(method, path, op)
	if err != nil {
		return err
	}
	var sample yaml.Node
	if err := sample.Encode([]map[string]string{{"lang": "Shell", "label": "curl", "source": command}}); err != nil {
		return err
	}
	op.Content = append(op.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: codeSamples}, &sample)
	return nil
}

// methods lists the members of a path that are operations.
func methods() []string { return []string{"get", "post", "put", "patch", "delete"} }

// member returns a member of a mapping, or an empty node.
func member(of *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(of.Content); i += 2 {
		if of.Content[i].Value == name {
			return of.Content[i+1]
		}
	}
	return &yaml.Node{}
}

// curl returns the command for an operation. Shell variables stand for the caller's values.
func curl(method, path string, node *yaml.Node) (string, error) {
	var op operation
	if err := node.Decode(&op); err != nil {
		return "", err
	}
	parts := []string{"curl -sS"}
	body, err := exampleBody(op)
	if err != nil {
		return "", err
	}
	if method != "get" && (method != "post" || body == "") {
		parts = append(parts, "-X "+strings.ToUpper(method))
	}
	parts = append(parts, `"$KITH_SERVER`+variables(path)+query(op.Parameters)+`"`)
	parts = append(parts, credential(op)...)
	for _, p := range op.Parameters {
		if p.In == "header" && p.Required {
			parts = append(parts, `-H "`+p.Name+": $"+variable(p.Name)+`"`)
		}
	}
	if body != "" {
		parts = append(parts, body)
	}
	return strings.Join(parts, " "), nil
}

// variables replaces path parameters by shell variables.
func variables(path string) string {
	return regexp.MustCompile(`\{\w+\}`).ReplaceAllStringFunc(path, func(name string) string {
		return "$" + variable(strings.Trim(name, "{}"))
	})
}

func variable(name string) string {
	return strings.ToUpper(strings.ReplaceAll(strings.TrimPrefix(name, "X-Kith-"), "-", "_"))
}

// query returns the query string of required parameters.
func query(all []parameter) string {
	var pairs []string
	for _, p := range all {
		if p.In == "query" && p.Required {
			pairs = append(pairs, p.Name+"="+p.Example)
		}
	}
	if len(pairs) == 0 {
		return ""
	}
	return "?" + strings.Join(pairs, "&")
}

// credential returns the header that an operation needs: by default a token.
func credential(op operation) []string {
	token := []string{`-H "Authorization: Bearer $KITH_TOKEN"`}
	if op.Security == nil {
		return token
	}
	for _, needed := range op.Security {
		if _, ok := needed["secretKey"]; ok {
			return []string{`-H "secret-key: $KITH_KEY"`}
		}
		if _, ok := needed["bearer"]; ok {
			return token
		}
	}
	return nil
}

// exampleBody returns the first example of a body, or a file for a form with files.
func exampleBody(op operation) (string, error) {
	if _, form := op.RequestBody.Content["multipart/form-data"]; form {
		return "-F file=@export.zip", nil
	}
	examples := op.RequestBody.Content["application/json"].Examples
	if len(examples.Content) < 2 {
		return "", nil
	}
	text, err := appendNode(nil, member(examples.Content[1], "value"))
	if err != nil {
		return "", err
	}
	return `--json '` + strings.ReplaceAll(string(text), `'`, `'\''`) + `'`, nil
}

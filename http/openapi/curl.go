package openapi

import (
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// codeSamples is the member of an operation that documentation viewers show as code.
const codeSamples = "x-codeSamples"

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
func curl(method, path string, op *yaml.Node) (string, error) {
	parts := []string{"curl -sS"}
	body, err := exampleBody(op)
	if err != nil {
		return "", err
	}
	if method != "get" && (method != "post" || body == "") {
		parts = append(parts, "-X "+strings.ToUpper(method))
	}
	address, separator := `"$KITH_SERVER`+variables(path), "?"
	var headers []string
	for _, p := range member(op, "parameters").Content {
		switch name := text(p, "name"); {
		case text(p, "required") != "true":
		case text(p, "in") == "query":
			address += separator + name + "=" + text(p, "example")
			separator = "&"
		case text(p, "in") == "header":
			headers = append(headers, `-H "`+name+": $"+variable(name)+`"`)
		}
	}
	parts = append(parts, address+`"`)
	parts = append(append(parts, credential(op)...), headers...)
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

// credential returns the header that an operation needs: by default a token.
func credential(op *yaml.Node) []string {
	token := []string{`-H "Authorization: Bearer $KITH_TOKEN"`}
	security := member(op, "security")
	if security.Kind == 0 {
		return token
	}
	for _, needed := range security.Content {
		switch needed.Content[0].Value {
		case "secretKey":
			return []string{`-H "secret-key: $KITH_KEY"`}
		case "bearer":
			return token
		}
	}
	return nil
}

// exampleBody returns the first example of a body, or a file for a form with files.
func exampleBody(op *yaml.Node) (string, error) {
	content := member(member(op, "requestBody"), "content")
	if member(content, "multipart/form-data").Kind != 0 {
		return "-F file=@export.zip", nil
	}
	examples := member(member(content, "application/json"), "examples")
	if len(examples.Content) < 2 {
		return "", nil
	}
	text, err := appendNode(nil, member(examples.Content[1], "value"))
	if err != nil {
		return "", err
	}
	return `--json '` + strings.ReplaceAll(string(text), `'`, `'\''`) + `'`, nil
}

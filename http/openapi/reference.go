package openapi

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Reference returns the pages of the reference by file name: README.md as the index, and one page
// for each tag with the parameters, bodies, examples and curl command of every operation.
func Reference() (map[string]string, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(source, &doc); err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	if err := addCurl(doc.Content[0]); err != nil {
		return nil, err
	}
	r := reference{doc: doc.Content[0]}
	pages, index := map[string]string{}, &page{}
	index.line("# Reference of the API")
	index.line(generated)
	index.text(text(r.doc, "info", "description"))
	for _, tag := range member(r.doc, "tags").Content {
		name := text(tag, "name")
		file := slug(name) + ".md"
		index.line("## [" + name + "](" + file + ")")
		index.text(text(tag, "description"))
		p, err := r.tag(tag, index)
		if err != nil {
			return nil, err
		}
		pages[file] = p
	}
	pages["README.md"] = index.String()
	return pages, nil
}

const generated = "Made from [openapi.yaml](../../http/openapi/openapi.yaml) by `go run ./scripts/reference`. " +
	"All schemas are on the page `/docs` of a server."

type reference struct{ doc *yaml.Node }

// tag returns the page of a tag, and adds its operations to the index.
func (r reference) tag(tag *yaml.Node, index *page) (string, error) {
	name, p := text(tag, "name"), &page{}
	p.line("# " + name)
	p.line("[All pages](README.md)")
	p.text(text(tag, "description"))
	var err error
	r.operations(func(path, method string, op, shared *yaml.Node) {
		if err != nil || !slices.Contains(scalars(member(op, "tags")), name) {
			return
		}
		summary := text(op, "summary")
		index.item(fmt.Sprintf("[%s](%s.md#%s): `%s %s`", summary, slug(name), slug(summary), strings.ToUpper(method), path))
		err = r.operation(p, path, method, op, shared)
	})
	index.line("")
	return p.String(), err
}

// operations calls do for each operation, in file order.
func (r reference) operations(do func(path, method string, op, shared *yaml.Node)) {
	paths := member(r.doc, "paths")
	for i := 0; i < len(paths.Content); i += 2 {
		item := paths.Content[i+1]
		for j := 0; j < len(item.Content); j += 2 {
			if method := item.Content[j].Value; slices.Contains(methods(), method) {
				do(paths.Content[i].Value, method, item.Content[j+1], member(item, "parameters"))
			}
		}
	}
}

func (r reference) operation(p *page, path, method string, op, shared *yaml.Node) error {
	p.line("## " + text(op, "summary"))
	p.line("`" + strings.ToUpper(method) + " " + path + "`")
	p.text(text(op, "description"))
	p.item(r.credential(op))
	if scope := text(op, "x-scope"); scope != "" {
		p.item("Scope: " + scope)
	}
	for _, of := range slices.Concat(shared.Content, member(op, "parameters").Content) {
		of = r.resolved(of)
		always := ""
		if text(of, "required") == "true" {
			always = ", always"
		}
		p.item(fmt.Sprintf("`%s` (%s, %s%s): %s", text(of, "name"), text(of, "in"), r.kind(member(of, "schema"), 0), always,
			joined(text(of, "description"))))
	}
	p.line("")
	if err := r.body(p, op); err != nil {
		return err
	}
	p.line("```sh\n" + folded(text(member(op, codeSamples).Content[0], "source")) + "\n```")
	return r.answers(p, member(op, "responses"))
}

// credential describes the credential of an operation.
func (r reference) credential(op *yaml.Node) string {
	needed := member(op, "security")
	if needed.Kind == 0 {
		needed = member(r.doc, "security")
	}
	says := map[string]string{
		"bearer": "a bearer token", "session": "the session of a browser",
		"secretKey": "a secret key in the header `secret-key`",
	}
	var all []string
	for _, s := range needed.Content {
		all = append(all, says[s.Content[0].Value])
	}
	if len(all) == 0 {
		return "Credential: none"
	}
	return "Credential: " + strings.Join(all, ", or ")
}

// body lists the members of a body and its examples.
func (r reference) body(p *page, op *yaml.Node) error {
	content := member(r.resolved(member(op, "requestBody")), "content")
	for i := 0; i+1 < len(content.Content); i += 2 {
		p.line("Body, `" + content.Content[i].Value + "`:")
		r.members(p, r.resolved(member(content.Content[i+1], "schema")), "", 0)
		p.line("")
		if err := p.examples(member(content.Content[i+1], "examples")); err != nil {
			return err
		}
	}
	return nil
}

// answers lists the answers, with the first example of each success.
func (r reference) answers(p *page, responses *yaml.Node) error {
	var refused []string
	for i := 0; i+1 < len(responses.Content); i += 2 {
		status, response := responses.Content[i].Value, r.resolved(responses.Content[i+1])
		if status >= "400" {
			refused = append(refused, status)
			continue
		}
		p.line("Answer " + status + ": " + joined(text(response, "description")))
		content := member(response, "content")
		for k := 0; k+1 < len(content.Content); k += 2 {
			if err := p.examples(member(content.Content[k+1], "examples")); err != nil {
				return err
			}
		}
	}
	if len(refused) > 0 {
		p.line("Refused with " + strings.Join(refused, ", ") + ".")
	}
	return nil
}

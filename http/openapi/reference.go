package openapi

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Reference returns the pages of the reference by file name: README.md as the index, and one page
// for each tag with the parameters, bodies, examples and curl command of every operation.
func (d Document) Reference() (map[string]string, error) {
	pages, index := map[string]string{}, &page{}
	index.line("# Reference of the API")
	index.line(generated)
	index.text(text(d.root, "info", "description"))
	d.headers(index)
	for _, tag := range member(d.root, "tags").Content {
		name := text(tag, "name")
		file := slug(name) + ".md"
		index.line("## [" + name + "](" + file + ")")
		index.text(text(tag, "description"))
		p, err := d.tag(tag, index)
		if err != nil {
			return nil, err
		}
		pages[file] = p
	}
	pages["README.md"] = index.String()
	return pages, nil
}

const generated = "Generated from [openapi.yaml](../../http/openapi/openapi.yaml) by `go run ./scripts/reference`. " +
	"All schemas are on the page `/docs` of a server."

// headers describes the headers of requests that operations share.
func (d Document) headers(index *page) {
	index.line("## Headers of requests")
	shared := member(member(d.root, "components"), "parameters").Content
	for i := 1; i < len(shared); i += 2 {
		if text(shared[i], "in") == "header" {
			index.item(d.parameter(shared[i]))
		}
	}
	index.line("")
}

// tag returns the page of a tag, and adds its operations to the index.
func (d Document) tag(tag *yaml.Node, index *page) (string, error) {
	name, p := text(tag, "name"), &page{}
	p.line("# " + name)
	p.line("[All pages](README.md)")
	p.text(text(tag, "description"))
	err := d.operations(func(method, path string, op, shared *yaml.Node) error {
		if !slices.Contains(scalars(member(op, "tags")), name) {
			return nil
		}
		summary := text(op, "summary")
		index.item(fmt.Sprintf("[%s](%s.md#%s): `%s %s`", summary, slug(name), slug(summary), strings.ToUpper(method),
			path))
		return d.operation(p, path, method, op, shared)
	})
	index.line("")
	return p.String(), err
}

func (d Document) operation(p *page, path, method string, op, shared *yaml.Node) error {
	p.line("## " + text(op, "summary"))
	p.line("`" + strings.ToUpper(method) + " " + path + "`")
	p.text(text(op, "description"))
	p.item(d.credential(op))
	if scope := text(op, "x-scope"); scope != "" {
		p.item("Scope: " + scope)
	}
	for _, of := range slices.Concat(shared.Content, member(op, "parameters").Content) {
		p.item(d.parameter(of))
	}
	p.line("")
	if err := d.body(p, op); err != nil {
		return err
	}
	p.line("```sh\n" + breakCommand(text(member(op, codeSamples).Content[0], "source")) + "\n```")
	return d.answers(p, member(op, "responses"))
}

// parameter describes a parameter; for a shared header it refers to the index.
func (d Document) parameter(of *yaml.Node) string {
	isShared := text(of, "$ref") != ""
	of = d.resolve(of)
	mark, says := "", oneLine(text(of, "description"))
	if text(of, "required") == "true" {
		mark = ", required"
	}
	if isShared && text(of, "in") == "header" {
		says = "see [headers](README.md#headers-of-requests)"
	}
	return fmt.Sprintf("`%s` (%s, %s%s): %s", text(of, "name"), text(of, "in"), d.kind(member(of, "schema"), 0), mark,
		says)
}

// credential describes the credential of an operation.
func (d Document) credential(op *yaml.Node) string {
	needed := member(op, "security")
	if needed.Kind == 0 {
		needed = member(d.root, "security")
	}
	says := map[string]string{
		"bearer": "a bearer token", "session": "a browser session",
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
func (d Document) body(p *page, op *yaml.Node) error {
	content := member(d.resolve(member(op, "requestBody")), "content")
	for i := 0; i+1 < len(content.Content); i += 2 {
		p.line("Body, `" + content.Content[i].Value + "`:")
		d.members(p, d.resolve(member(content.Content[i+1], "schema")), "", 0)
		p.line("")
		if err := p.examples(member(content.Content[i+1], "examples")); err != nil {
			return err
		}
	}
	return nil
}

// answers lists the responses, with the first example of each success.
func (d Document) answers(p *page, responses *yaml.Node) error {
	var refused []string
	for i := 0; i+1 < len(responses.Content); i += 2 {
		status, response := responses.Content[i].Value, d.resolve(responses.Content[i+1])
		if status >= "400" {
			refused = append(refused, status)
			continue
		}
		p.line("Response " + status + ": " + oneLine(text(response, "description")))
		content := member(response, "content")
		for k := 0; k+1 < len(content.Content); k += 2 {
			if err := p.examples(member(content.Content[k+1], "examples")); err != nil {
				return err
			}
		}
	}
	if len(refused) > 0 {
		p.line("Errors: " + strings.Join(refused, ", ") + ".")
	}
	return nil
}

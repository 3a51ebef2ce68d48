package http

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"sync"

	"github.com/go-chi/chi/v5"

	"kith/http/openapi"
	"kith/http/web"
)

// pagePolicy lets a page load its own assets and call this server, and nothing else.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// pages are the HTML pages, built once.
type pages struct {
	byName map[string]*file
	// admin is only for the operator.
	admin *file
	// missing is the page for unknown addresses.
	missing *template.Template
	assets  map[string]*file
}

// pageNames lists the pages. The name is that of the template and of the path; index is served at /.
func pageNames() []string {
	return []string{"index", "paths", "people", "outreach", "import", "settings", "sign-in", "docs"}
}

func newPages(datasets []Dataset) (*pages, error) {
	t, err := template.ParseFS(web.Files(), "*.html")
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	token := publishedToken(datasets)
	p := &pages{byName: map[string]*file{}, missing: t.Lookup("notfound.html")}
	for _, name := range pageNames() {
		page, err := render(t, name+".html", pageData{token, name})
		if err != nil {
			return nil, err
		}
		p.byName[name] = page
	}
	if p.admin, err = render(t, "admin.html", pageData{token, "admin"}); err != nil {
		return nil, err
	}
	p.assets, err = readAssets()
	return p, err
}

// publishedToken returns the token of the demo, or "" if the server serves none.
func publishedToken(datasets []Dataset) string {
	for _, d := range datasets {
		if d.PublishedToken != "" {
			return d.PublishedToken
		}
	}
	return ""
}

// pageData is the data for page templates.
type pageData struct{ Token, Page string }

func render(t *template.Template, name string, data any) (*file, error) {
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, name, data); err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	return newFile(typeHTML, pagePolicy, b.Bytes()), nil
}

// readDescription returns openapi.yaml as JSON.
var readDescription = sync.OnceValues(func() (*file, error) {
	doc, err := openapi.Parse()
	if err != nil {
		return nil, err
	}
	text, err := doc.JSON()
	return newFile(typeJSON, "", text), err
})

// sendDescription answers with the description of the API.
func sendDescription(w http.ResponseWriter, r *http.Request) error {
	description, err := readDescription()
	if err != nil {
		return err
	}
	description.ServeHTTP(w, r)
	return nil
}

// readAssets returns the assets by name. They are the same for every server.
var readAssets = sync.OnceValues(func() (map[string]*file, error) {
	names, err := fs.Glob(web.Files(), "assets/*")
	if err != nil {
		return nil, fmt.Errorf("assets: %w", err)
	}
	assets := map[string]*file{}
	for _, name := range names {
		content, err := fs.ReadFile(web.Files(), name)
		if err != nil {
			return nil, fmt.Errorf("asset %s: %w", name, err)
		}
		assets[path.Base(name)] = newFile(assetType(name), "", content)
	}
	return assets, nil
})

func (p *pages) asset(w http.ResponseWriter, r *http.Request) error {
	asset, ok := p.assets[chi.URLParam(r, "file")]
	if !ok {
		return errNoRoute()
	}
	asset.ServeHTTP(w, r)
	return nil
}

// assetType returns the media type of an asset. It does not depend on the machine's table for these types.
func assetType(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return mime.TypeByExtension(path.Ext(name))
}

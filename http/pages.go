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
	// app shows what its address says.
	app *file
	// missing is the page for unknown addresses.
	missing *template.Template
	assets  map[string]*file
}

// pagePaths lists the paths of the app that are for everyone.
func pagePaths() []string {
	return []string{"/", "/paths", "/people", "/lists", "/outreach", "/import", "/settings", "/sign-in", "/docs"}
}

func newPages(datasets []Dataset) (*pages, error) {
	t, err := template.ParseFS(web.Files(), "notfound.html", "dist/index.html")
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	var app bytes.Buffer
	data := struct{ Token string }{publishedToken(datasets)}
	if err := t.ExecuteTemplate(&app, "index.html", data); err != nil {
		return nil, fmt.Errorf("page of the app: %w", err)
	}
	assets, err := readAssets()
	return &pages{newFile(typeHTML, pagePolicy, app.Bytes()), t.Lookup("notfound.html"), assets}, err
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
	assets := map[string]*file{}
	for _, folder := range []string{"assets", "dist/assets"} {
		names, err := fs.Glob(web.Files(), folder+"/*")
		if err != nil {
			return nil, fmt.Errorf("assets: %w", err)
		}
		for _, name := range names {
			content, err := fs.ReadFile(web.Files(), name)
			if err != nil {
				return nil, fmt.Errorf("asset %s: %w", name, err)
			}
			asset := newFile(assetType(name), "", content)
			asset.hashed = path.Dir(name) != "assets" // the build of the app puts a hash in the name
			assets[path.Base(name)] = asset
		}
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
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return mime.TypeByExtension(path.Ext(name))
}

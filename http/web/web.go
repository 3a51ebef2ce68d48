// Package web holds the HTML pages of the server: search, introduction paths, people, outreach,
// import, settings, the operator's page, sign-in, and the API reference. They need no build step, load
// nothing from other servers, and insert data only as text.
package web

import (
	"embed"
	"io/fs"
)

//go:embed *.html assets
var files embed.FS

// Files returns the pages and the folder assets. The pages are html/template files that share bar.html.
func Files() fs.FS { return files }

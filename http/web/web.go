// Package web holds the pages that the server shows to people: search, ways in, people, outreach, import, settings, the
// page of the operator, the page to sign in on, and the reference of the API. They are plain files that need no build
// tool, load nothing from elsewhere, and put what they show on the page as text only.
package web

import (
	"embed"
	"io/fs"
)

//go:embed *.html assets
var files embed.FS

// Files returns the pages, which are html/template templates and share those of bar.html,
// and the folder assets.
func Files() fs.FS { return files }

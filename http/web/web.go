// Package web holds the pages of the server: search, ways in, people, outreach, import,
// settings, sign-in, and the API reference. They are plain files without a build tool, load
// nothing from other hosts, and insert data as text only.
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

// Package web holds the HTML pages of the server: search, introduction paths, people, outreach,
// import, settings, the operator's page, sign-in, and the API reference. They are plain files
// without a build step, load nothing from other servers, and insert data into the page only as text.
package web

import (
	"embed"
	"io/fs"
)

//go:embed *.html assets
var files embed.FS

// Files returns the pages, html/template templates that share those of bar.html, and the folder assets.
func Files() fs.FS { return files }

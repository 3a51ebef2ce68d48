// Package web holds the app of the server, built from the sources in the folder web of this repository, and the page
// for unknown addresses. Nothing is loaded from other servers, and data is inserted only as text.
package web

import (
	"embed"
	"io/fs"
)

//go:embed notfound.html assets dist
var files embed.FS

// Files returns the app in the folder dist, and notfound.html with its folder assets. The app's only page,
// dist/index.html, and notfound.html are html/template files.
func Files() fs.FS { return files }

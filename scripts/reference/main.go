// Command reference writes the API reference, docs/api, from http/openapi/openapi.yaml.
// Run it from the repository's root.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"kith/http/openapi"
)

const folder = "docs/api"

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

// write replaces the folder.
func write() error {
	doc, err := openapi.Parse()
	if err != nil {
		return err
	}
	pages, err := doc.Reference()
	if err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

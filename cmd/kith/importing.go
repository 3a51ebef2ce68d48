package main

import (
	"cmp"
	"path/filepath"

	kithhttp "kith/http"
	"kith/internal/imports"
	"kith/internal/postgres"
)

// importing returns the service that accepts files from users, over a database. The dataset's worker stores them.
func (c *serveCmd) importing(s *system, d *dataset) func(*postgres.DB) *imports.Service {
	log := s.log.With().Str("directory", d.name).Logger()
	folder := imports.Folder(filepath.Join(cmp.Or(c.ImportDir, filepath.Join(string(s.flags.Data), "imports")), d.name))
	store := d.db.Imports()
	quota := kithhttp.NewImportQuota(d.db.Limits(), c.ImportQuota, d.name)
	load := d.loader()
	load.Sequences = nil // exports may not load sequences: the token may lack that scope
	d.imports = imports.NewWorker(imports.Config{
		Desk: store, Open: store.Open, Network: d.db.Network(), Folder: folder, Logger: log,
		Loader: load, Name: d.db.Network().NameOf,
		Owner: d.db.Network().UserOwner, Doubtful: store.Doubtful, Note: d.db.Audit().Note, Quota: quota.Take,
	})
	return func(db *postgres.DB) *imports.Service { return imports.NewService(db.Imports(), folder) }
}

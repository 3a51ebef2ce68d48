package main

import (
	"cmp"
	"path/filepath"

	kithhttp "kith/http"
	"kith/internal/imports"
)

// importing returns the service that accepts files from users. The dataset's worker stores them.
func (c *serveCmd) importing(s *system, d *dataset) (*imports.Service, error) {
	log := s.log.With().Str("directory", d.name).Logger()
	asks, err := d.asks(log)
	if err != nil {
		return nil, err
	}
	folder := imports.Folder(filepath.Join(cmp.Or(c.ImportDir, filepath.Join(string(s.flags.Data), "imports")), d.name))
	store := d.db.Imports(asks)
	quota := kithhttp.NewImportQuota(d.db.Limits(), c.ImportQuota, d.name)
	exports := d.loader()
	exports.Sequences = nil // exports may not load sequences: the token may lack that scope
	d.imports = imports.NewWorker(imports.Config{
		Desk: store, Records: d.db, Network: d.db.Network(), Folder: folder, Logger: log,
		Exports: exports, Name: d.db.Network().NameOf,
		Owner: d.db.Network().UserOwner, Doubtful: store.Doubtful, Note: d.db.Audit().Note, Quota: quota.Take,
		Requeue: store.Requeue,
	})
	return imports.NewService(store, folder), nil
}

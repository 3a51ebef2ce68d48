package main

import (
	"sync"
	"time"

	"kith/index/analysis"
	"kith/internal/demo"
	"kith/internal/outreach"
)

// outreach is what users of the directory do with their sequences. Users of the
// demo are given some first.
func (d *directory) outreach() *outreach.Service {
	store := d.db.Outreach()
	cfg := outreach.Config{Store: store, Cases: store, People: records{d.db}, SocialID: analysis.SocialID}
	if d.demo {
		generated := sync.OnceValues(func() (*demo.Directory, error) { return demo.New(demo.Default()) })
		cfg.Prepare = outreach.NewGiver(store, func(now time.Time) ([]outreach.Loaded, error) {
			dir, err := generated()
			if err != nil {
				return nil, err
			}
			return dir.Sequences(now)
		}).Prepare
	}
	return outreach.New(cfg)
}

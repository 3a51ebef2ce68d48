package demo

// Config returns the configuration with its defaults filled in.
func (d *Dataset) Config() Config { return d.cfg }

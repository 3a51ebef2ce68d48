package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/rs/zerolog"

	"kith/client"
	"kith/http/agents"
	"kith/http/openapi"
)

type mcpCmd struct {
	caller
	Write bool
}

// Run serves until standard input ends.
func (c *mcpCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	err := c.check()
	if err == nil && c.User == "" && c.Token == "" {
		err = errors.New("name the user of the agent: --user or --token")
	}
	if err != nil {
		return usageError(err)
	}
	doc, err := openapi.Parse()
	if err != nil {
		return err
	}
	filters, values := doc.Filters()
	return c.call(ctx, g, log, func(api *client.Client, _ *dataset) error {
		return agents.Stdio(ctx, agents.New(agents.Config{
			Client: func(http.Header) *client.Client { return api }, Write: c.Write, Version: release,
			Filters: filters, FilterValues: values,
		}))
	})
}

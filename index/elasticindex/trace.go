package elasticindex

import (
	"context"
	"strings"

	"kith/index"
)

// Trace returns a context under which every driver records its requests, and a function that returns those recorded
// so far, in the order they were sent: method and path on the first line, then the body.
func Trace(ctx context.Context) (tracing context.Context, sent func() []string) {
	ctx, noted := index.Trace[request](ctx)
	return ctx, func() []string {
		var texts []string
		for _, r := range noted() {
			path := r.path
			if r.params != "" {
				path += "?" + r.params
			}
			texts = append(texts, strings.TrimRight(r.method+" "+path+"\n"+string(r.body), "\n"))
		}
		return texts
	}
}

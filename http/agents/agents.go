// Package agents is Kith's MCP server: tools with which a language model searches people, finds paths to them, and
// reads and prepares outreach for one user. A tool makes one or a few API calls through package client, so the user's
// token and all limits of the API apply. Tools that change something exist only if [Config] allows them, and none
// approves or sends an e-mail.
package agents

import (
	"context"
	"fmt"
	"net/http"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kith/client"
)

// Config configures the tools.
type Config struct {
	// Client returns the client of the user who sent a request with these headers; the headers
	// are nil over standard input.
	Client func(http.Header) *client.Client
	// Write adds the tools that change something.
	Write bool
	// Filters are the filters of a search with their descriptions, and FilterValues says how their values are written.
	Filters      map[string]string
	FilterValues string
	// Version is the version of the program.
	Version string
}

const instructions = `Kith searches people and knows how its user can reach them. Search in plain words, as in "heads of
data in Berlin" or "people I know at fintech companies". Check "understood" in the answer: it says what the words were
taken for. Refer to people by their id, a profile URL or an e-mail address. Kith sends no e-mail without the user's
approval: yours are drafts.`

// New returns the server.
func New(cfg Config) *mcp.Server {
	s := mcp.NewServer(
		&mcp.Implementation{Name: "kith", Title: "Kith", Version: cfg.Version},
		&mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{}},
	)
	t := tools{server: s, client: cfg.Client, types: cfg.schemas()}
	t.search(cfg.FilterValues)
	t.network()
	t.lists()
	t.outreach()
	if cfg.Write {
		t.keeping()
		t.drafting()
	}
	return s
}

// maxBody limits a request over HTTP, in bytes.
const maxBody = 1 << 20

// Handler serves the server over HTTP. Each POST is a separate request without a session, so any of several servers may
// answer it. The caller must check authorization. Requests must carry a bearer token, so pages of other sites cannot
// call it, whatever host they name.
func Handler(s *mcp.Server) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, DisableLocalhostProtection: true,
	})
}

// Stdio serves one client over standard input and output until either is closed.
func Stdio(ctx context.Context, s *mcp.Server) error { return s.Run(ctx, &mcp.StdioTransport{}) }

// tools adds tools to a server.
type tools struct {
	server *mcp.Server
	client func(http.Header) *client.Client
	// types describes some types of inputs.
	types map[reflect.Type]*jsonschema.Schema
}

// read adds a read-only tool.
func read[In, Out any](t tools, name, does string, do func(context.Context, *client.Client, In) (Out, error)) {
	add(t, name, does, &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(bool)}, do)
}

// write adds a tool that adds data and deletes nothing.
func write[In, Out any](t tools, name, does string, do func(context.Context, *client.Client, In) (Out, error)) {
	add(t, name, does, &mcp.ToolAnnotations{DestructiveHint: new(bool), OpenWorldHint: new(bool)}, do)
}

func add[In, Out any](
	t tools, name, does string, is *mcp.ToolAnnotations, do func(context.Context, *client.Client, In) (Out, error),
) {
	input, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: t.types})
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", name, err)) // as AddTool does
	}
	mcp.AddTool(t.server, &mcp.Tool{Name: name, Description: does, Annotations: is, InputSchema: input},
		func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
			var header http.Header
			if req.Extra != nil {
				header = req.Extra.Header
			}
			out, err := do(ctx, t.client(header), in)
			return nil, out, err
		})
}

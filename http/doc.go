// Package http is the service over HTTP: routes, the checks that every request
// goes through, and the one place where errors become statuses. It holds no
// rules of the domains; each handler reads a request, asks one domain, and
// writes the answer. What is served is described in openapi/openapi.yaml, and
// tests hold the two together.
package http

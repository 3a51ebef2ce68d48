// Package http serves Kith over HTTP: routes, the checks common to all requests, and the only
// mapping of errors to statuses. It has no domain rules: a handler reads a request, calls one
// domain and writes the answer, in a type of package client if that has one. Tests compare routes and
// answers with openapi/openapi.yaml.
package http

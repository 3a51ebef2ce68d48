// Package strict parses JSON request bodies and reports all problems at once. [Parse] accepts
// exactly one JSON object in valid UTF-8 without repeated members. [Schema.Check] compares it with
// a declared shape and returns each problem with its path and a remedy.
package strict

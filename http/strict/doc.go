// Package strict reads JSON request bodies and says everything that is wrong
// with them at once. [Parse] accepts exactly one JSON object in valid UTF-8
// with no member twice; [Schema.Check] compares it with a declared shape and
// returns every problem with its path and what would be right.
package strict

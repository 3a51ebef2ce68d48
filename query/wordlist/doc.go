// Package wordlist reads lists and tables embedded in the binary. A missing or broken file panics: it is part of the
// program.
package wordlist

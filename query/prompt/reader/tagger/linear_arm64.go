//go:build !purego

package tagger

// hasMultiplyBlock reports whether the processor has NEON, which all have.
func hasMultiplyBlock() bool { return true }

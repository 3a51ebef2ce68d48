//go:build (!amd64 && !arm64) || purego

package tagger

// newMultiplier returns the multiplier for inputs of a width.
func newMultiplier(in int) multiplier { return plainMultiplier(in) }

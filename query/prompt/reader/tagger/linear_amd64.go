//go:build !purego

package tagger

import "golang.org/x/sys/cpu"

// hasMultiplyBlock reports whether the processor has AVX2 and FMA.
func hasMultiplyBlock() bool { return cpu.X86.HasAVX2 && cpu.X86.HasFMA }

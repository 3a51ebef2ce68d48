//go:build !race

package effort

// raced is true with the race detector.
const raced = false

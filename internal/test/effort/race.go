//go:build race

package effort

// raced is true with the race detector, which makes everything several times slower.
const raced = true

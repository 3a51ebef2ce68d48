package proximity

// Thresholds choose between the methods of finding people.
type Thresholds struct {
	// AtOnce is the most people, of one or several classes, whose matches a single request by id fetches; they are
	// sorted here.
	AtOnce int
	// ByID is the size of the largest class searched by id, in pieces, highest rank first. Larger classes are searched
	// by scanning everyone who satisfies the search.
	ByID int
	// FirstPiece and MaxPiece bound the size of such a piece.
	FirstPiece, MaxPiece int
	// List is the most people who may satisfy a search for which listing all of them, and then deciding the first ones,
	// is cheaper.
	List int
	// Scan is how many people one request of a scan reads at most.
	Scan int
}

// DefaultThresholds are values that were measured to be good.
func DefaultThresholds() Thresholds {
	return Thresholds{
		AtOnce: 150, ByID: 20_000, FirstPiece: 150, MaxPiece: 16_384, List: 10_000, Scan: 5000,
	}
}

package proximity

// Thresholds choose between the methods of finding people.
type Thresholds struct {
	// AtOnce is the most people, of one or several classes, whose matches a single request by id fetches; they are
	// sorted here.
	AtOnce int
	// ByID is the size of the largest class searched by id, in pieces, highest rank first. Larger classes are searched by
	// scanning everyone who satisfies the search.
	ByID int
	// FirstPiece and MaxPiece bound the size of such a piece.
	FirstPiece, MaxPiece int
	// ListPossible is the most people who may satisfy a search for which listing all of them, and then deciding the first
	// ones, is cheaper. ListMatching is the most people who do satisfy it for which listing them is cheaper.
	ListPossible, ListMatching int
	// Rare is the number of matches below which a list is cheaper than a prefilter over the people within reach;
	// WholeClass is the size of the largest class prefiltered at once.
	Rare, WholeClass int
	// Scan is how many people one request of a scan reads at most.
	Scan int
	// Dense is the least share of everyone for which a class is searched by scanning the matches. The share must also
	// exceed the share of people who satisfy the search: the method that looks at fewer people wins.
	Dense float64
}

// DefaultThresholds are the values that `kith bench --network` measured to be good.
func DefaultThresholds() Thresholds {
	return Thresholds{
		AtOnce: 150, ByID: 20_000, FirstPiece: 150, MaxPiece: 16_384, ListPossible: 10_000, ListMatching: 2000,
		Rare: 3000, WholeClass: 4000, Scan: 5000, Dense: 1.0 / 64,
	}
}

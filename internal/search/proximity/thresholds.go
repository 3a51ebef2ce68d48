package proximity

// Thresholds decide in which way people are searched.
type Thresholds struct {
	// AtOnce is up to how many people of one or several classes are asked for by
	// their ids at once, all of them, and put in order here.
	AtOnce int
	// ByID is up to how many people of a class are asked for by their ids, in
	// pieces, the highest rank first; more are found by going through everyone who
	// satisfies the search.
	ByID int
	// FirstPiece and MaxPiece bound such a piece.
	FirstPiece, MaxPiece int
	// ListPossible is how many people may satisfy a search for which it is cheaper
	// to list all who may, and to decide those who come first; ListMatching is of
	// how many it is cheaper to list all who do.
	ListPossible, ListMatching int
	// Rare is of how many people, who satisfy a search, a list costs less than to
	// sieve those within reach; SieveWhole is up to how many people of a class are
	// sieved at once.
	Rare, SieveWhole int
	// Scan is how many people are gone through at once.
	Scan int
	// Dense is the share of everyone from which on a class is found by going
	// through those who satisfy the search, where that is more than the share of
	// people who satisfy it: whichever looks at fewer.
	Dense float64
}

// DefaultThresholds are those that `kith bench --network` measured to be good.
func DefaultThresholds() Thresholds {
	return Thresholds{
		AtOnce: 150, ByID: 20_000, FirstPiece: 150, MaxPiece: 16_384, ListPossible: 10_000, ListMatching: 2000,
		Rare: 3000, SieveWhole: 4000, Scan: 5000, Dense: 1.0 / 64,
	}
}

package proximity

// Thresholds decide in which way people are searched.
type Thresholds struct {
	// AtOnce is the most people of one or several classes who are asked for at once
	// by their ids, all of them, and put in order here.
	AtOnce int
	// ByID is the size of the largest class whose people are asked for by their ids,
	// in pieces, the highest rank first. Those of a larger one are found by going
	// through everyone who satisfies the search.
	ByID int
	// FirstPiece and MaxPiece bound such a piece.
	FirstPiece, MaxPiece int
	// ListPossible is the most people who may satisfy a search at which it is
	// cheaper to list all of them, and then to decide those who come first;
	// ListMatching is the most who do at which it is cheaper to list all who do.
	ListPossible, ListMatching int
	// Rare is the number of matches below which a list costs less than to sieve
	// those within reach; SieveWhole is the size of the largest class that is sieved
	// at once.
	Rare, SieveWhole int
	// Scan is how many people are gone through at once.
	Scan int
	// Dense is the least share of everyone that a class must have to be found by
	// going through those who satisfy the search. It must also be more than the share
	// of people who satisfy it: whichever way looks at fewer is taken.
	Dense float64
}

// DefaultThresholds are those that `kith bench --network` measured to be good.
func DefaultThresholds() Thresholds {
	return Thresholds{
		AtOnce: 150, ByID: 20_000, FirstPiece: 150, MaxPiece: 16_384, ListPossible: 10_000, ListMatching: 2000,
		Rare: 3000, SieveWhole: 4000, Scan: 5000, Dense: 1.0 / 64,
	}
}

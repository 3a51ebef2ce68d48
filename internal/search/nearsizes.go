package search

// sizes decide in which way people are searched.
type sizes struct {
	// few is up to how many people of one or several classes are asked for by
	// their ids at once, all of them, and put in order here.
	few int
	// many is up to how many people of a class are asked for by their ids, in
	// pieces, the highest rank first; more are found by going through everyone who
	// satisfies the search.
	many int
	// first and last bound such a piece.
	first, last int
	// may is how many people may satisfy a search for which it is cheaper to list
	// all who may, and to decide those who come first; do is of how many it is
	// cheaper to list all who do.
	may, do int
	// rare is of how many people, who satisfy a search, a list costs less than to
	// sieve those within reach; whole is up to how many people of a class are sieved
	// at once.
	rare, whole int
	// scan is how many people are gone through at once.
	scan int
	// dense is the share of everyone from which on a class is found by going
	// through those who satisfy the search, where that is more than the share of
	// people who satisfy it: whichever looks at fewer.
	dense float64
}

// usual are the sizes in use; `kith bench --network` measures them.
func usual() sizes {
	return sizes{few: 150, many: 20_000, first: 150, last: 16_384, may: 10_000, do: 2000, rare: 3000, whole: 4000, scan: 5000, dense: 1.0 / 64}
}

package kith

// Each returns what a function returns for each entry of a list. The result is never nil, which would be null in JSON.
func Each[From, To any](list []From, of func(From) To) []To {
	out := make([]To, len(list))
	for i, one := range list {
		out[i] = of(one)
	}
	return out
}

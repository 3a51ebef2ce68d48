package kith

// Principal is the author of a change, for the audit. The zero Principal is refused there.
type Principal struct {
	// Name is such as "operator", "app acme, key ci" or "user u1".
	Name string
	// App is the number of the app; 0 for the operator.
	App int64
}

// OperatorPrincipal names the operator in the audit; it permits nothing.
func OperatorPrincipal() Principal { return Principal{Name: "operator"} }

package kith

// Viewer is on whose behalf records of people are read or changed: a user of an app, the operator, or the public. The
// zero Viewer is nobody, who sees nothing and may change nothing. Functions take a Viewer as a parameter, never from a
// context, so that forgetting it does not compile.
type Viewer struct {
	actor            Actor
	operator, public bool
}

// Viewer returns the viewer that is the user.
func (a Actor) Viewer() Viewer { return Viewer{actor: a} }

// Operator returns the viewer who sees all records. It is for commands of the operator, and for work that belongs to no
// user. The lint lists the files that may call it.
func Operator() Viewer { return Viewer{operator: true} }

// Public returns the viewer who sees the records that belong to everyone, and no others.
func Public() Viewer { return Viewer{public: true} }

// User returns the user; ok is false for all other viewers.
func (v Viewer) User() (a Actor, ok bool) { return v.actor, v.actor.UserID != 0 }

// IsOperator reports whether the viewer is the operator.
func (v Viewer) IsOperator() bool { return v.operator }

// IsPublic reports whether the viewer is the public.
func (v Viewer) IsPublic() bool { return v.public }

// Decides reports whether the viewer may decide about records that others see, too: the operator, and users whose
// credential has the scope.
func (v Viewer) Decides() bool {
	_, isUser := v.User()
	return v.operator || isUser && v.actor.Scopes.Has(ScopeOperator)
}

// Principal names the viewer in the audit.
func (v Viewer) Principal() Principal {
	switch a, isUser := v.User(); {
	case v.operator:
		return OperatorPrincipal()
	case isUser:
		return Principal{Name: "user " + a.ExternalID, App: a.AppID}
	}
	return Principal{Name: "nobody"}
}

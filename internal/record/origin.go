package record

import (
	"context"
	"errors"
)

// Everyone is the owner of records that every caller may see.
const Everyone = ""

// Origin is where a write comes from: whose records it writes, and which import supplies them. The zero Origin is
// refused, so that forgetting it shows nothing to everyone.
type Origin struct {
	owner  string
	number int64
	known  bool
}

// OwnedBy returns the origin of records of an owner, such as "user:5" or [Everyone]: only callers who may see the
// owner's records see them. Writes for others than everyone do not change the records of everyone.
func OwnedBy(owner string) Origin { return Origin{owner: owner, known: true} }

// ForEveryone returns the origin of records that every caller may see.
func ForEveryone() Origin { return OwnedBy(Everyone) }

// Supplied returns the origin of records that the numbered import supplies. They can be removed later, unless another
// origin supplies them too.
func (o Origin) Supplied(number int64) Origin {
	o.number = number
	return o
}

// Owner is whose records are written.
func (o Origin) Owner() string { return o.owner }

// Import is the number of the import, or 0.
func (o Origin) Import() int64 { return o.number }

// Check returns an error for the zero Origin.
func (o Origin) Check() error {
	if !o.known {
		return errors.New("records without an owner; pass record.OwnedBy(owner)")
	}
	return nil
}

// Claimer is a [Tx] that records which imports supply a record.
type Claimer interface {
	// Origin is where the records of the transaction come from.
	Origin() Origin
	// Claim records that the import of the origin supplies records; it is the first to supply the fresh ones. Without
	// an import, other origins supply them: removing an import then keeps them.
	Claim(ctx context.Context, kind Kind, fresh, again []int64) error
}

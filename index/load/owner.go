package load

import "context"

// Everyone is the owner of records that every caller may see.
const Everyone = ""

type ownerKey struct{}

// WithOwner returns a context in which records are written as those of an owner, such
// as "user:5": only who may see the records of the owner is shown them. What belongs to
// everyone is not changed then.
func WithOwner(ctx context.Context, owner string) context.Context {
	return context.WithValue(ctx, ownerKey{}, owner)
}

// OwnerFrom returns the owner of ctx, [Everyone] where none is named.
func OwnerFrom(ctx context.Context) string {
	owner, _ := ctx.Value(ownerKey{}).(string)
	return owner
}

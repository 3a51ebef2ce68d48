package load

import "context"

// Everyone is the owner of records that every caller may see.
const Everyone = ""

type ownerKey struct{}

// WithOwner returns a context in which records are written for an owner, such as "user:5": only callers who may see
// the owner's records see them. Such writes do not change the records of everyone.
func WithOwner(ctx context.Context, owner string) context.Context {
	return context.WithValue(ctx, ownerKey{}, owner)
}

// OwnerFrom returns the owner of ctx, or [Everyone].
func OwnerFrom(ctx context.Context) string {
	owner, _ := ctx.Value(ownerKey{}).(string)
	return owner
}

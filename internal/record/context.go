package record

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

type importKey struct{}

// WithImport returns a context in which the numbered import writes records. They can be removed later, unless another
// origin supplies them too.
func WithImport(ctx context.Context, number int64) context.Context {
	return context.WithValue(ctx, importKey{}, number)
}

// ImportFrom returns the number of the import of ctx, or 0.
func ImportFrom(ctx context.Context) int64 {
	number, _ := ctx.Value(importKey{}).(int64)
	return number
}

// Claimer is a [Tx] that records which imports supply a record.
type Claimer interface {
	// Claim records that the import of ctx supplies records; it is the first to supply the fresh ones. Without an
	// import, other origins supply them: removing an import then keeps them.
	Claim(ctx context.Context, kind Kind, fresh, again []int64) error
}

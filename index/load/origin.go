package load

import "context"

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

// claim calls [Claimer.Claim] if the transaction implements it.
func claim(ctx context.Context, tx Tx, kind Kind, fresh, again []int64) error {
	c, ok := tx.(Claimer)
	if !ok || len(fresh)+len(again) == 0 {
		return nil
	}
	return c.Claim(ctx, kind, fresh, again)
}

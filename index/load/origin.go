package load

import "context"

type importKey struct{}

// WithImport returns a context in which records are written by the import of a number, so
// that they can be taken out again where nobody else tells them.
func WithImport(ctx context.Context, number int64) context.Context {
	return context.WithValue(ctx, importKey{}, number)
}

// ImportFrom returns the number of the import of ctx, 0 where none is named.
func ImportFrom(ctx context.Context) int64 {
	number, _ := ctx.Value(importKey{}).(int64)
	return number
}

// Claimer is a [Tx] that notes which imports tell a record.
type Claimer interface {
	// Claim says that the import of ctx tells records, the fresh ones first of all. Without
	// an import it says that others tell them: no import takes them out then.
	Claim(ctx context.Context, kind Kind, fresh, again []int64) error
}

// claim is [Claimer.Claim] where the transaction is one.
func claim(ctx context.Context, tx Tx, kind Kind, fresh, again []int64) error {
	c, ok := tx.(Claimer)
	if !ok || len(fresh)+len(again) == 0 {
		return nil
	}
	return c.Claim(ctx, kind, fresh, again)
}

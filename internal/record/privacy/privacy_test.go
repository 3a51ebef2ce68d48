package privacy_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"kith"
	"kith/internal/record/privacy"
)

// failing is a store that fails for one identifier. Only Erase is called.
type failing struct {
	privacy.Store
	of  string
	err error
}

func (f failing) Erase(_ context.Context, identifier string, _ privacy.Order) (privacy.Result, error) {
	if identifier == f.of {
		return privacy.Result{}, f.err
	}
	return privacy.Result{Status: privacy.Forgotten}, nil
}

// The third of four erasures fails. The result lists the earlier ones, because a repeated request
// could no longer find their ids.
func TestFailedForgetReportsTheErasedPeople(t *testing.T) {
	away := errors.New("away")
	got, err := privacy.New(failing{of: "3", err: away}).
		Forget(t.Context(), []string{"1", " 2", "3", "4"}, kith.OperatorPrincipal())
	want := []privacy.Result{
		{Identifier: "1", Status: privacy.Forgotten},
		{Identifier: " 2", Status: privacy.Forgotten},
	}
	if !errors.Is(err, away) || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

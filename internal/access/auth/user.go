package auth

import (
	"context"

	"kith"
)

// Users lists the users of an app by external id.
func (s *Service) Users(ctx context.Context, app App) ([]UserInfo, error) {
	return s.store.UsersOf(ctx, app.ID, s.now())
}

// UserPage lists up to n users of an app with ids greater than above, by id.
func (s *Service) UserPage(ctx context.Context, app App, above int64, n int) ([]UserInfo, error) {
	return s.store.UserPage(ctx, app.ID, above, n, s.now())
}

// SetDisabled disables or enables a user of an app; NotFound if there is none. A disabled user gets no tokens, and
// their tokens, jobs and waiting e-mails end at once, tokens within [cacheTTL].
func (s *Service) SetDisabled(ctx context.Context, by kith.Principal, app App, user string, disabled bool) error {
	return s.store.SetDisabled(ctx, by, app.ID, user, disabled, s.now())
}

// Tokens lists the valid tokens of an app, or of one of its users if user is not empty.
func (s *Service) Tokens(ctx context.Context, app App, user string) ([]TokenInfo, error) {
	return s.store.TokensOf(ctx, app.ID, user, s.now())
}

// RevokeToken deletes a token by id; NotFound if there is none.
func (s *Service) RevokeToken(ctx context.Context, by kith.Principal, id int64) error {
	return s.store.EndToken(ctx, by, id)
}

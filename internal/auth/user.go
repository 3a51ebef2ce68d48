package auth

import "context"

// Users lists the users of an app, by their external id.
func (s *Service) Users(ctx context.Context, app App) ([]UserInfo, error) {
	return s.store.UsersOf(ctx, app.ID, s.now())
}

// UserPage lists up to n users of an app with numbers above one, by number.
func (s *Service) UserPage(ctx context.Context, app App, above int64, n int) ([]UserInfo, error) {
	return s.store.UserPage(ctx, app.ID, above, n, s.now())
}

// SetDisabled disables a user of an app, or enables them again; one who is not there is
// NotFound. A user who is disabled gets no tokens, and their tokens, jobs and waiting
// e-mails end at once: tokens within [cacheTTL].
func (s *Service) SetDisabled(ctx context.Context, app App, user string, disabled bool) error {
	return s.store.SetDisabled(ctx, app.ID, user, disabled, s.now())
}

// Tokens lists the valid tokens of an app, or of one user of it where user is not
// empty.
func (s *Service) Tokens(ctx context.Context, app App, user string) ([]TokenInfo, error) {
	return s.store.TokensOf(ctx, app.ID, user, s.now())
}

// RevokeToken ends the token of a number; one that is not there is NotFound.
func (s *Service) RevokeToken(ctx context.Context, id int64) error { return s.store.EndToken(ctx, id) }

// Package auth knows apps, their users, and the secrets that speak for them:
// the secret keys of apps and the bearer tokens of users. A secret is handed
// out once and kept only as a hash; where that is kept is behind [Apps] and
// [Tokens].
package auth

// Package auth manages apps, their users, and their credentials: secret keys of apps, bearer
// tokens and sessions of users. A secret is shown once and stored as a hash, behind [Apps] and
// [Tokens].
package auth

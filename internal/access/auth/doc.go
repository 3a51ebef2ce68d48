// Package auth manages apps, their users, and their credentials: secret keys of apps, bearer tokens and sessions of
// users. It shows a secret once and stores only its hash, through [Store].
package auth

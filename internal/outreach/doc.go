// Package outreach is the rules of e-mail sequences: who is written to, which
// e-mails wait for a decision, what a decision does, and what may follow what.
// It knows no SQL and no HTTP.
//
// A lead with its e-mails and activities is one [Case]. Every change of a case
// is made by a method of it, under one lock, and leaves a [Move] for each state
// that changed; so there is one place that says what can happen, and a history
// of what did.
package outreach

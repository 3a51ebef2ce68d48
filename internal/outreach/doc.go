// Package outreach has the rules of e-mail sequences: leads, decisions about e-mails, and the
// allowed changes of state. It knows no SQL and no HTTP.
//
// A lead with its e-mails and activities is one [Case]. Only methods of a case change it, under
// one lock, and each change of a state leaves a [Move]. They are the one place for the rules,
// and moves are the history.
package outreach

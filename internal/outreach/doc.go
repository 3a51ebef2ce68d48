// Package outreach implements the rules of e-mail sequences: leads, decisions about
// e-mails, and allowed state changes. It knows no SQL and no HTTP.
//
// A lead with its e-mails and activities is one [Case]. Only methods of a case change it, under one lock, so all rules
// are in one place. Each state change appends a [Move]; the moves are the history.
package outreach

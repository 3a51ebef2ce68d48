// Package tidy turns text from files into values of records: names split and capitalised, titles, companies, places,
// dates, sizes, addresses. Its word lists are data. All functions are pure, linear and total: they leave text that they
// cannot read unchanged, or return "" if it would mislead.
package tidy

// Package tidy makes of the texts that people and programs leave in files the
// values that a record wants: names split and in their case, titles, companies,
// places, dates, sizes, addresses. The lists of words that it goes by are data.
// All functions are pure and linear in their input; none fails on any text: what
// cannot be read stays as it is, or is empty where that says less than nothing.
package tidy

// Package index is the portable index of people and companies: what a
// document is, in which order people come, and how a search walks through its
// stages. A driver (pgindex, elasticindex, memindex) only translates a query
// and runs it; closeness, paging and error kinds are decided here once.
package index

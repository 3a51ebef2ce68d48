// Package index is the portable index of people and companies: the form of documents, the order of people, and the
// walk through the stages of a search. A driver (pgindex, elasticindex, memindex) only translates a query and runs
// it; paging and error kinds are decided here once.
package index

// Package importer reads the files that people have: exports of a professional
// network, address books, tables of customer databases, dumps of vendors of data,
// mail and calendars. [Run] tells what each file is by its content and hands
// [Person], [Company], [Owner] and [History] records to a [Sink], one after the
// other, in bounded memory. It stores nothing, and never reads or keeps what
// people wrote to each other.
package importer

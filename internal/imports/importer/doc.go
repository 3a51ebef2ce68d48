// Package importer reads files of other programs: exports of a professional network, address books, customer tables,
// vendor dumps, mail and calendars. [Run] recognises each file by its content and passes [Person], [Company], [Owner]
// and [History] records to a [Sink], in bounded memory. It stores nothing, and never reads or keeps the text of
// messages.
package importer

package analysis

// Format numbers the way in which documents are made of records. It grows with
// every change of a field, of what is put in it or of the terms of the vocabulary, so that an index whose
// documents were made in another way is known, and built anew.
const Format = 16

package analysis

// Format numbers the way in which documents are made of records. It grows with
// every change of a field or of what is put in it, so that an index whose
// documents were made in another way is known, and built anew.
const Format = 3

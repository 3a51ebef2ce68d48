package analysis

// Format is the version of the mapping from records to documents. Raise it with every change of a field, of its
// contents or of the terms of the vocabulary: an index with another format is then rebuilt.
const Format = 18

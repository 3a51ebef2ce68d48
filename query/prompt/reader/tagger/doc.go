// Package tagger reads prompts with a small trained model: [Tagger.Read] says what each word of a prompt does. A
// [Reading] has the most probable marks, and the probability of any others.
//
// The model is an encoder of word pieces with a linear-chain conditional random field over the words and a score for
// each attribute of a mark. The command scripts/reader/train.py trains it from the marked prompts of ../data and
// writes data/model.bin, which says what its kinds and attributes are. The package knows no words, and gives no value
// to any: a resolver of frames does.
package tagger

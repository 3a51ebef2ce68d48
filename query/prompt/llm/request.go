package llm

import (
	_ "embed"
)

// instructions tell the model what to do. They describe every kind and attribute of marks.
//
//go:embed instructions.txt
var instructions string

// The tags around the prompt in a request.
const (
	opens  = "<prompt>"
	closes = "</prompt>"
)

// message is a part of a conversation, by "user" or "assistant".
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// opening returns the conversation that asks for the marks of a prompt.
func opening(text string) []message {
	return []message{{"user", opens + "\n" + text + "\n" + closes}}
}

// correction returns the messages that send an answer back.
func correction(answer, wrong string) []message {
	return []message{
		{"assistant", answer},
		{"user", "That cannot be used: " + wrong + ". Answer again with the whole request, marked."},
	}
}

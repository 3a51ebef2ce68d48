package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
)

// asks makes a command ask for confirmation before it deletes something.
type asks struct {
	Yes bool `short:"y"`
}

// confirm asks on the terminal. It returns an error unless the answer is yes.
func (a asks) confirm(question string) error {
	if a.Yes {
		return nil
	}
	if !isatty.IsTerminal(os.Stdin.Fd()) {
		return usageError(fmt.Errorf("%s? There is no terminal to ask on: give --yes", question))
	}
	yes, err := ask(question)
	if err == nil && !yes {
		err = errors.New("nothing was changed")
	}
	return err
}

// ask asks a question on the terminal; the default is no.
func ask(question string) (yes bool, err error) {
	fmt.Fprintf(os.Stderr, "%s? [y/N] ", question)
	answer, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", nil
}

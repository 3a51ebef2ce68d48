//go:build foreign

package commands_test

import "testing"

func TestFishCompletesCommands(t *testing.T) {
	completes(t, "fish", `kith completion fish | source; complete -C "kith search --sc"`)
}

func TestZshCompletesCommands(t *testing.T) {
	completes(t, "zsh", `compdef() { :; }; source <(kith completion zsh); compadd() { print -l -- $found; }
		words=(kith search --sc); CURRENT=3; _kith`)
}

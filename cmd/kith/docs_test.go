package main

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"kith/internal/test/expect"
)

// texts reads the repository's files with matching names, by path.
func texts(t *testing.T, matches func(name string) bool) map[string]string {
	t.Helper()
	found, root := map[string]string{}, os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && (name == ".git" || name == "kith-data") {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || !matches(name) {
			return err
		}
		text, err := fs.ReadFile(root, name)
		found[name] = string(text)
		return err
	})
	if err != nil || len(found) == 0 {
		t.Fatalf("%d files, %v", len(found), err)
	}
	return found
}

func documents(t *testing.T) map[string]string {
	t.Helper()
	return texts(t, func(name string) bool {
		return path.Ext(name) == ".md" && (path.Dir(name) == "." || path.Dir(name) == "docs")
	})
}

// anchors returns the headings of a document that links can point to.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	punctuation := regexp.MustCompile(`[^\pL\pN_ -]`)
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		found[strings.ReplaceAll(punctuation.ReplaceAllString(strings.ToLower(heading[1]), ""), " ", "-")] = true
	}
	return found
}

// Every link in a document points to an existing file, and to a heading in it.
func TestLinksInDocumentsWork(t *testing.T) {
	docs := documents(t)
	for name, text := range docs {
		for _, link := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(text, -1) {
			file, anchor, _ := strings.Cut(link[1], "#")
			target := path.Join(path.Dir(name), file)
			if file == "" {
				target = name
			}
			if strings.Contains(file, "://") {
				continue
			}
			if _, err := os.Stat(path.Join("../..", target)); err != nil {
				t.Errorf("%s links to %s, which does not exist", name, link[1])
			} else if anchor != "" && !anchors(docs[target])[anchor] {
				t.Errorf("%s links to %s, which is no heading", name, link[1])
			}
		}
	}
}

// flags collects the flags of all commands and their environment variables.
func flags(node *kong.Node, into map[string]bool) {
	for _, f := range node.Flags {
		into["--"+f.Name] = true
		for _, env := range f.Envs {
			into[env] = true
		}
	}
	for _, child := range node.Children {
		flags(child, into)
	}
}

// Every flag, environment variable and test in a document exists.
func TestNamesInDocumentsExist(t *testing.T) {
	known := map[string]bool{}
	flags(kong.Must(&commands{}).Model.Node, known)
	code := ""
	for _, text := range texts(t, func(name string) bool { return path.Ext(name) == ".go" }) {
		code += text
	}
	// The programs in scripts define flags in another way, and some variables belong to no flag.
	defined := regexp.MustCompile(`(?:String|Bool|Int|Uint64)(?:Var)?\((?:&[\w.]+, )?"([a-z][a-z-]+)", `)
	for _, name := range defined.FindAllStringSubmatch(code, -1) {
		known["--"+name[1]] = true
	}
	for _, text := range texts(t, func(name string) bool { return path.Ext(name) == ".py" }) {
		for _, name := range regexp.MustCompile(`add_argument\('(--[a-z][a-z-]+)'`).FindAllStringSubmatch(text, -1) {
			known[name[1]] = true
		}
	}
	for _, name := range regexp.MustCompile(`"((?:KITH|ELASTICSEARCH)_[A-Z_]+)"`).FindAllStringSubmatch(code, -1) {
		known[name[1]] = true
	}
	for _, text := range texts(t, func(name string) bool { return path.Ext(name) == ".mjs" }) {
		for _, name := range regexp.MustCompile(`process\.env\.(KITH_[A-Z_]+)`).FindAllStringSubmatch(text, -1) {
			known[name[1]] = true
		}
	}
	for name := range composed(t) {
		known[name] = true
	}
	named := regexp.MustCompile(`\B--[a-z][a-z-]+|\b(?:KITH|ELASTICSEARCH)_[A-Z_]*[A-Z]\b|` +
		`\b(?:Test|Fuzz|Benchmark)[A-Z]\w+`)
	for document, text := range documents(t) {
		for _, name := range named.FindAllString(text, -1) {
			if !known[name] && !strings.Contains(code, "func "+name) {
				t.Errorf("%s names %s, which does not exist", document, name)
			}
		}
	}
}

// composed returns the variables that docker-compose.yml takes from the environment.
func composed(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("../../docker-compose.yml")
	expect.NoError(t, err)
	found := map[string]bool{}
	for _, name := range regexp.MustCompile(`\$\{(\w+):-`).FindAllStringSubmatch(string(text), -1) {
		found[name[1]] = true
	}
	return found
}

// docker-compose.yml passes on every variable of kith serve, except those that it sets itself.
func TestComposePassesOnTheEnvironment(t *testing.T) {
	handed := composed(t)
	own := regexp.MustCompile(`^(KITH_)?(DATABASE|ELASTICSEARCH)_|^KITH_(DATA|LISTEN|LOG_FORMAT|GRACE)$`)
	root := kong.Must(&commands{}).Model.Node
	for _, flags := range [][]*kong.Flag{root.Flags, command(root, "serve").Flags} {
		for _, f := range flags {
			for _, env := range f.Envs {
				if !own.MatchString(env) && !handed[env] {
					t.Errorf("docker-compose.yml does not pass on %s", env)
				}
			}
		}
	}
}

func command(n *kong.Node, name string) *kong.Node {
	for _, child := range n.Children {
		if child.Name == name {
			return child
		}
	}
	return nil
}

// The metrics in operations.md are those that the server has.
func TestMetricsInDocumentsExist(t *testing.T) {
	named, served := map[string]bool{}, map[string]bool{}
	metric := regexp.MustCompile(`kith_(?:http|index)_[a-z_]+`)
	for _, name := range metric.FindAllString(documents(t)["docs/operations.md"], -1) {
		named[name] = true
	}
	code := texts(t, func(name string) bool {
		return path.Dir(name) == "http" && path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go")
	})
	for _, text := range code {
		for _, name := range metric.FindAllString(text, -1) {
			served[name] = true
		}
	}
	if !maps.Equal(named, served) {
		t.Errorf("operations.md has %v, the server %v", slices.Sorted(maps.Keys(named)),
			slices.Sorted(maps.Keys(served)))
	}
}

// Lines of documents have at most 120 characters. Tables and code, which cannot wrap, are exempt.
func TestLinesOfDocumentsAreShort(t *testing.T) {
	for name, text := range documents(t) {
		code := false
		for i, line := range strings.Split(text, "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				code = !code
			}
			bound := code || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "    ")
			if n := utf8.RuneCountInString(line); n > 120 && !bound {
				t.Errorf("%s:%d has %d characters; wrap it at 120", name, i+1, n)
			}
		}
	}
}

// Every file and package that architecture.md names exists.
func TestPathsInDocumentsExist(t *testing.T) {
	named := regexp.MustCompile("`([a-z][a-z-]*(?:/[\\w.*-]+)+)`")
	for _, match := range named.FindAllStringSubmatch(documents(t)["docs/architecture.md"], -1) {
		if found, err := fs.Glob(os.DirFS("../.."), match[1]); err != nil || len(found) == 0 {
			t.Errorf("docs/architecture.md names %s, which does not exist", match[1])
		}
	}
}

// The index of decisions.md has every decision in force with its date, and each one has an entry.
func TestDecisionsInDocumentsAreIndexed(t *testing.T) {
	text := documents(t)["docs/decisions.md"]
	listed, written := []string{}, []string{}
	inForce := regexp.MustCompile(`(?m)^\| (\d{4}-\d\d-\d\d) \| (.*) \| in force \|$`)
	for _, row := range inForce.FindAllStringSubmatch(text, -1) {
		listed = append(listed, row[1]+": "+row[2])
	}
	for _, heading := range regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(text, -1) {
		written = append(written, heading[1])
	}
	slices.Sort(listed)
	slices.Sort(written)
	if !slices.Equal(listed, written) {
		t.Errorf("the index has %q; the entries are %q", listed, written)
	}
}

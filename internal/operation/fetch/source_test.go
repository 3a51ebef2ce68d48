package fetch_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/test/expect"
	"kith/internal/test/packages"
)

// Downloads from Maven Central come from the mirror that Maven would use, with its credentials.
func TestMavenMirrorIsUsed(t *testing.T) {
	const server = "<servers><server><id>m</id><username>jane</username>" +
		"<password>${env.MIRROR_PASSWORD}</password></server></servers>"
	for name, tt := range map[string]struct{ user, installation, password string }{
		"of central":       {user: mirrorOf("central", "URL/right")},
		"of everything":    {user: mirrorOf("*", "URL/right/")},
		"of all but one":   {user: mirrorOf("external:*, !other", "URL/right")},
		"of the installed": {user: mirrorOf("*,!central", "URL/wrong"), installation: mirrorOf("*", "URL/right")},
		"of the user":      {user: mirrorOf("*", "URL/right"), installation: mirrorOf("*", "URL/wrong")},
		"by its name":      {user: mirrorOf("*", "URL/wrong"), installation: mirrorOf("central", "URL/right")},
		"with a password":  {user: mirrorOf("central", "URL/right") + server, password: "jane:s3cret"},
		"from a variable":  {user: mirrorOf("central", "${env.MIRROR}/right")},
	} {
		t.Run(name, func(t *testing.T) {
			file := []byte("text")
			r := newRegistry(t, file)
			t.Setenv("MIRROR", r.url)
			t.Setenv("MIRROR_PASSWORD", "s3cret")
			installation := t.TempDir()
			t.Setenv("MAVEN_HOME", installation)
			settings(t, os.Getenv("HOME"), strings.ReplaceAll(tt.user, "URL", r.url))
			write(t, installation, "conf/settings.xml",
				"<settings>"+strings.ReplaceAll(tt.installation, "URL", r.url)+"</settings>")
			_, err := newMachine(t).Archive(t.Context(), program(file).Archive)
			expect.NoError(t, err)
			asked := r.requests[0]
			user, password, _ := asked.BasicAuth()
			if asked.URL.Path != strings.Replace(path, "/maven/", "/right/", 1) ||
				strings.Trim(user+":"+password, ":") != tt.password {
				t.Errorf("the request is to %s, as %s:%s", asked.URL, user, password)
			}
		})
	}
}

// Downloads from PyPI come from the index that pip would use. The index says where the file is.
func TestPipIndexIsUsed(t *testing.T) {
	const conf = "# comment\n[global]\ntimeout = 60\nindex-url = URL\n"
	const wrong = "[global]\nindex-url=URL/wrong\n"
	type texts map[string]string
	for name, tt := range map[string]struct{ variables, files texts }{
		"of the environment": {texts{"PIP_INDEX_URL": "URL/"}, texts{".pip/pip.conf": wrong}},
		"of a named file":    {texts{"PIP_CONFIG_FILE": "HOME/own"}, texts{"own": conf, ".pip/pip.conf": wrong}},
		"of the user":        {nil, texts{".config/pip/pip.conf": conf, ".pip/pip.conf": wrong}},
		"of earlier times":   {nil, texts{".pip/pip.conf": conf}},
		"of the downloads":   {nil, texts{".pip/pip.conf": wrong + "[download]\nindex_url: URL"}},
	} {
		t.Run(name, func(t *testing.T) {
			file := []byte("text")
			r := newRegistry(t, file, func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte(`<a href="../x/other-1.zip">other</a>
					<a data-x="1" href='../../files/a%2Bb/program-1.0.zip#sha256=00&amp;x' class=y>program</a>`))
			})
			home, index := os.Getenv("HOME"), strings.Replace(r.url, "//", "//jane:s3cret@", 1)+"/simple"
			for name, value := range tt.variables {
				t.Setenv(name, strings.NewReplacer("URL", index, "HOME", home).Replace(value))
			}
			for name, text := range tt.files {
				write(t, home, name, strings.ReplaceAll(text, "URL", index))
			}
			a := program(file).Archive
			a.Source = packages.PyPI{Project: "program", Name: "program-1.0.zip"}
			_, err := newMachine(t).Archive(t.Context(), a)
			expect.NoError(t, err)
			for i, want := range []string{"/simple/program/", "/files/a+b/program-1.0.zip"} {
				asked := r.requests[i]
				if _, password, _ := asked.BasicAuth(); asked.URL.Path != want || password != "s3cret" {
					t.Errorf("request %d is to %s, with password %q", i, asked.URL, password)
				}
			}
		})
	}
}

// Downloads from npm come from the registry that npm would use.
func TestNPMRegistryIsUsed(t *testing.T) {
	file := []byte("text")
	a := program(file).Archive
	a.Source = packages.NPM{Name: "program", Version: "1.0"}
	for name, use := range map[string]func(url string){
		"of the environment": func(url string) { t.Setenv("NPM_CONFIG_REGISTRY", url+"/npm") },
		"of the user": func(url string) {
			t.Setenv("NPM_CONFIG_REGISTRY", "")
			write(t, os.Getenv("HOME"), ".npmrc", "audit = false\nregistry = "+url+"/npm/\n")
		},
	} {
		r := newRegistry(t, file, whole(file))
		use(r.url)
		_, err := newMachine(t).Archive(t.Context(), a)
		expect.NoError(t, err)
		if asked := r.requests[0].URL.Path; asked != "/npm/program/-/program-1.0.tgz" {
			t.Errorf("%s: the request is to %s", name, asked)
		}
	}
}

// A setting that cannot be used is named, and so is a file that the index lacks. Passwords are not shown.
func TestUselessSettingsAreNamed(t *testing.T) {
	file := []byte("text")
	r := newRegistry(t, file, fails(404))
	home, m := os.Getenv("HOME"), newMachine(t)
	a := program(file).Archive
	settings(t, home, mirrorOf("*", "ftp://u:s3cret@host"))
	_, err := m.Archive(t.Context(), a)
	names(t, err, filepath.Join(home, ".m2", "settings.xml"), "ftp://u:xxxxx@host", "must begin with https://")
	settings(t, home, "<mirrors>")
	_, err = m.Archive(t.Context(), a)
	names(t, err, filepath.Join(home, ".m2", "settings.xml"), "XML")
	a.Source = packages.PyPI{Project: "program", Name: "program-1.0.zip"}
	t.Setenv("PIP_INDEX_URL", "pypi")
	_, err = m.Archive(t.Context(), a)
	names(t, err, "$PIP_INDEX_URL", `"pypi" must begin with https://`)
	t.Setenv("PIP_INDEX_URL", strings.Replace(r.url, "//", "//u:s3cret@", 1))
	_, err = m.Archive(t.Context(), a)
	names(t, err, "u:xxxxx@", "answers 404")
	r.answers = append(r.answers, whole([]byte("<a href='x'>")))
	_, err = m.Archive(t.Context(), a)
	names(t, err, "/program/ does not list program-1.0.zip")
}

func names(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("the error is %v, want one with %q and without the password", err, part)
		}
	}
}

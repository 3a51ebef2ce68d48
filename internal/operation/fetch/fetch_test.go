package fetch_test

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kith/internal/operation/fetch"
	"kith/internal/test/expect"
)

// fixed is the date of all files.
var fixed = time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)

// A program is fetched once, with its size and its source told, and everyone may read and run it.
func TestProgramIsInstalledOnce(t *testing.T) {
	file := zipped(t, map[string]string{"top/bin/run": "#!", "top/lib/a.txt": "text", "other/b.txt": "b"})
	r, m := newRegistry(t, file), newMachine(t)
	for range 2 {
		dir, err := m.Install(t.Context(), program(file))
		expect.NoError(t, err)
		for name, want := range map[string]os.FileMode{"bin/run": 0o755, "lib/a.txt": 0o644, "lib": 0o755, ".": 0o755} {
			info, err := os.Stat(filepath.Join(dir, name))
			expect.NoError(t, err)
			if info.Mode().Perm() != want {
				t.Errorf("%s has mode %o, want %o", name, info.Mode().Perm(), want)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "b.txt")); err == nil {
			t.Error("a file of another folder was unpacked")
		}
	}
	if len(r.requests) != 1 || r.requests[0].URL.Path != path {
		t.Errorf("%d requests, the first to %s", len(r.requests), r.requests[0].URL.Path)
	}
	host := strings.TrimPrefix(r.url, "http://")
	if want := "fetching Program 1.0 from " + host + " (0.0 MB, once)"; m.said() != want {
		t.Errorf("it says %q, want %q", m.said(), want)
	}
}

// Processes that share a cache wait for one download.
func TestConcurrentInstallsFetchOnce(t *testing.T) {
	file := zipped(t, map[string]string{"top/a": "a"})
	r, m := newRegistry(t, file), newMachine(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := m.Install(t.Context(), program(file)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(r.requests) != 1 {
		t.Errorf("%d requests", len(r.requests))
	}
}

// Failures that may pass are tried again, from where the download stopped. Others are final.
func TestDownloadsAreRepeatedAndResumed(t *testing.T) {
	file := []byte(strings.Repeat("0123456789", 1000))
	other := []byte(strings.Repeat("x", 10000))
	sever := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	ignoresRanges := func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(file) }
	for name, tt := range map[string]struct {
		answers []answer
		ranges  []string
		err     string
	}{
		"cut off":            {[]answer{cut(file)}, []string{"", "bytes=6000-"}, ""},
		"cut off twice":      {[]answer{cut(file), sever}, []string{"", "bytes=6000-", "bytes=6000-"}, ""},
		"cannot resume":      {[]answer{cut(file), ignoresRanges}, []string{"", "bytes=6000-"}, ""},
		"server error":       {[]answer{fails(500), fails(503), fails(429)}, []string{"", "", "", ""}, ""},
		"no connection":      {[]answer{sever, sever}, []string{"", "", ""}, ""},
		"file was replaced":  {[]answer{cut(other)}, []string{"", "bytes=6000-", ""}, ""},
		"file became short":  {[]answer{cut(file), fails(416)}, []string{"", "bytes=6000-", ""}, ""},
		"not there":          {[]answer{fails(404)}, []string{""}, path + " answers 404 Not Found"},
		"not allowed":        {[]answer{fails(401)}, []string{""}, "answers 401 Unauthorized"},
		"another file":       {[]answer{whole(other)}, []string{""}, sum(other) + ", expected " + sum(file)},
		"an endless file":    {[]answer{whole(slices.Concat(file, other))}, []string{""}, "SHA-256"},
		"always unavailable": {slices.Repeat([]answer{fails(503)}, 9), make([]string, 5), "answers 503"},
	} {
		t.Run(name, func(t *testing.T) {
			r, m := newRegistry(t, file, tt.answers...), newMachine(t)
			got, err := m.Archive(t.Context(), program(file).Archive)
			if !slices.Equal(r.ranges(), tt.ranges) {
				t.Errorf("the requests ask for %q, want %q", r.ranges(), tt.ranges)
			}
			if tt.err != "" {
				want := filepath.Join(m.dir, "program-1.0.zip")
				if err == nil || !strings.Contains(err.Error(), tt.err) || !strings.Contains(err.Error(), want) {
					t.Errorf("error %v, want one with %q and %q", err, tt.err, want)
				}
				return
			}
			expect.NoError(t, err)
			if text, err := os.ReadFile(got); err != nil || string(text) != string(file) {
				t.Errorf("%d bytes arrive of %d, %v", len(text), len(file), err)
			}
			if again := strings.Count(m.said(), "trying again"); again != len(tt.ranges)-1 {
				t.Errorf("it says %d times that it tries again:\n%s", again, m.said())
			}
		})
	}
}

// What a killed process left is used or replaced.
func TestKilledProcessLeavesNoWrongFile(t *testing.T) {
	file := zipped(t, map[string]string{"top/a": "a", "top/b": strings.Repeat("b", 1000)})
	for name, tt := range map[string]struct {
		left   map[string]string
		ranges []string
	}{
		"part of the archive": {
			map[string]string{"program-1.0.zip.part": string(file[:100])}, []string{"bytes=100-"},
		},
		"the archive":       {map[string]string{"program-1.0.zip": string(file)}, nil},
		"a damaged archive": {map[string]string{"program-1.0.zip": "x"}, []string{""}},
		"half a folder": {
			map[string]string{".unpacking-program-1.0/a": "half", "program-1.0.zip": string(file)}, nil,
		},
		"a complete .part file": {map[string]string{"program-1.0.zip.part": string(file)}, []string{"bytes=1238-", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			r, m := newRegistry(t, file), newMachine(t)
			for name, text := range tt.left {
				write(t, m.dir, name, text)
			}
			dir, err := m.Install(t.Context(), program(file))
			expect.NoError(t, err)
			if text, err := os.ReadFile(filepath.Join(dir, "a")); string(text) != "a" {
				t.Errorf("file a is %q, %v", text, err)
			}
			if len(r.ranges()) != len(tt.ranges) {
				t.Errorf("the requests ask for %q, want %q", r.ranges(), tt.ranges)
			}
			if left, err := os.ReadDir(m.dir); err != nil || len(left) != 2 { // the folder and its lock
				t.Errorf("the cache has %v, %v", left, err)
			}
		})
	}
}

// An archive cannot write outside its folder, and then nothing is installed.
func TestArchivesStayInTheirFolder(t *testing.T) {
	file := zipped(t, map[string]string{"top/../../../out": "x"})
	newRegistry(t, file)
	m := newMachine(t)
	if dir, err := m.Install(t.Context(), program(file)); err == nil {
		t.Errorf("it is installed in %s", dir)
	}
	if _, err := os.Stat(filepath.Join(m.dir, "..", "out")); err == nil {
		t.Error("a file was written outside")
	}
}

// A tar with links is unpacked from the zip around it.
func TestTarsAreUnpacked(t *testing.T) {
	packed, err := os.ReadFile("testdata/links.txz")
	expect.NoError(t, err)
	file := zipped(t, map[string]string{"META-INF/MANIFEST.MF": "", "some.txz": string(packed)})
	newRegistry(t, file)
	p := program(file)
	p.Unpack = fetch.ZippedTarXZ
	dir, err := newMachine(t).Install(t.Context(), p)
	expect.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(dir, "lib", "link"))
	if err != nil || string(text) != "text\n" {
		t.Errorf("the link leads to %q, %v", text, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "bin", "run")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the program is %v, %v", info, err)
	}
}

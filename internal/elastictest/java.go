package elastictest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// oldestJava is the oldest Java version that this Elasticsearch supports.
const oldestJava = 17

// javaHome finds the home of the Java to use, since the distribution has none. It asks
// Java itself, because the program on the path may be a link or a stub.
func javaHome(ctx context.Context) (string, error) {
	program := "java"
	for _, name := range []string{"ES_JAVA_HOME", "JAVA_HOME"} {
		if dir := os.Getenv(name); dir != "" {
			program = filepath.Join(dir, "bin", "java")
			break
		}
	}
	out, err := exec.CommandContext(ctx, program, "-XshowSettings:properties", "-version").CombinedOutput()
	if err != nil {
		return "", &missingError{fmt.Errorf("no Java %d or newer is installed: apt-get install openjdk-17-jre-headless, "+
			"or brew install openjdk@17 (%w)", oldestJava, err)}
	}
	home, version := property(out, "java.home"), property(out, "java.specification.version")
	if home == "" {
		return "", &missingError{errors.New("java does not say where its home is: set JAVA_HOME")}
	}
	if n, err := strconv.Atoi(version); err != nil || n < oldestJava {
		return "", &missingError{fmt.Errorf("the Java at %s is too old: Elasticsearch needs %d or newer (found %s)",
			home, oldestJava, version)}
	}
	return home, nil
}

func property(settings []byte, name string) string {
	for line := range strings.Lines(string(settings)) {
		if key, value, ok := strings.Cut(line, " = "); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

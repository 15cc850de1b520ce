package dynamoserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"laurel/internal/machine"
)

// oldestJava is the first version that runs DynamoDB Local.
const oldestJava = 17

// platforms are those that the jars bring a library of SQLite for; elsewhere a
// container has it.
var platforms = []string{"linux/amd64", "darwin/amd64", "windows/amd64"}

// pom names what Maven copies. The libraries are among it.
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>laurel</groupId>
  <artifactId>dynamodb-local</artifactId>
  <version>` + Version + `</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>software.amazon.dynamodb</groupId>
      <artifactId>DynamoDBLocal</artifactId>
      <version>` + Version + `</version>
    </dependency>
  </dependencies>
</project>
`

// managers are the systems' package managers, and how each is asked for Java and
// Maven. A system's default Java can be too old: then a newer one is asked for.
var managers = []machine.Manager{
	{Name: "apt-get", AsRoot: true, Commands: [][]string{
		{"apt-get", "update", "-qq"},
		machine.AptInstall("default-jre-headless", "maven"),
	}},
	{Name: "apt-get", AsRoot: true, Commands: [][]string{machine.AptInstall("openjdk-17-jre-headless", "maven")}},
	{Name: "dnf", AsRoot: true, Commands: [][]string{{"dnf", "install", "-y", "-q", "java-21-openjdk-headless", "maven"}}},
	{Name: "brew", AsRoot: false, Commands: [][]string{{"brew", "install", "--quiet", "openjdk", "maven"}}},
}

// java is a Java that is new enough.
type java struct{ path, version string }

// versionLine is of: openjdk version "17.0.15" 2025-04-15.
var versionLine = regexp.MustCompile(`version "((\d+)[^"]*)"`)

func findJava(ctx context.Context, sys machine.System) (java, error) {
	path, err := sys.Look("java")
	if err != nil {
		return java{}, errors.New("no Java")
	}
	output, err := sys.Run(ctx, path, "-version")
	if err != nil {
		return java{}, err // macOS has a java that only tells to install one
	}
	match := versionLine.FindStringSubmatch(output)
	if match == nil {
		return java{}, errors.New("java does not tell its version")
	}
	if major, err := strconv.Atoi(match[2]); err != nil || major < oldestJava {
		return java{}, fmt.Errorf("java %s is too old", match[1])
	}
	return java{path: path, version: match[1]}, nil
}

// directory is where the jars are when all of them are there.
func (f finder) directory() string {
	return filepath.Join(f.cache, "laurel", "dynamodb-local-"+Version)
}

func broughtBefore(ctx context.Context, f finder) (*Source, error) {
	if !slices.Contains(platforms, f.platform) {
		return nil, errors.New("its jars have no library for " + f.platform)
	}
	jars := filepath.Join(f.directory(), "lib")
	if _, err := os.Stat(jars); err != nil {
		return nil, errors.New("it was not brought before")
	}
	found, err := findJava(ctx, f)
	if err != nil {
		return nil, err
	}
	return &Source{java: found, jars: jars}, nil
}

func fromMaven(ctx context.Context, f finder) (*Source, error) {
	if !slices.Contains(platforms, f.platform) {
		return nil, errors.New("nor has Maven")
	}
	tools := func(string) bool {
		_, noJava := findJava(ctx, f)
		_, noMaven := f.Look("mvn")
		return noJava == nil && noMaven == nil
	}
	if !tools("") {
		if err := machine.Install(ctx, f, managers, tools); err != nil {
			return nil, fmt.Errorf("install Java and Maven: %w", err)
		}
	}
	if err := machine.Bring(ctx, f, "dynamodb-local", f.directory(), func(dir string) error { return f.copyJars(ctx, dir) }); err != nil {
		return nil, err
	}
	return broughtBefore(ctx, f)
}

// copyJars has Maven copy the jars into a directory.
func (f finder) copyJars(ctx context.Context, dir string) error {
	if err := os.WriteFile(filepath.Join(dir, "pom.xml"), []byte(pom), 0o600); err != nil {
		return err
	}
	mvn, err := f.Look("mvn")
	if err != nil {
		return err
	}
	_, err = f.Run(ctx, mvn, "-B", "-q", "-f", filepath.Join(dir, "pom.xml"),
		"dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory="+filepath.Join(dir, "lib"))
	return err
}

package poms

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../../../.."

func read(t *testing.T, folder string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, folder, "pom.xml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// modules are the folders that the root's pom lists.
func modules(t *testing.T) []string {
	t.Helper()
	var top struct {
		Modules []string `xml:"modules>module"`
	}
	if err := xml.Unmarshal([]byte(read(t, ".")), &top); err != nil {
		t.Fatal(err)
	}
	if len(top.Modules) < 10 {
		t.Fatalf("the root's pom lists %v only", top.Modules)
	}
	return top.Modules
}

func TestAVersionStandsInTheRootAlone(t *testing.T) {
	for _, folder := range append(modules(t), ".") {
		findings, err := Findings(filepath.Join(folder, "pom.xml"), read(t, folder), folder == ".")
		if err != nil {
			t.Error(err)
		}
		for _, finding := range findings {
			t.Error(finding)
		}
	}
}

// A property that nothing uses, or two for one thing, is how versions drift apart.
func TestEveryVersionHasOnePropertyThatIsUsed(t *testing.T) {
	var used []string
	for _, folder := range append(modules(t), ".") {
		names, err := Properties(read(t, folder))
		if err != nil {
			t.Fatal(err)
		}
		used = append(used, names...)
	}
	artifact := map[string]string{}
	artifacts := regexp.MustCompile(`<groupId>([^<]+)</groupId>\s*<artifactId>([^<]+)</artifactId>\s*<version>\$\{([^}]+)\}`)
	for _, folder := range append(modules(t), ".") {
		for _, match := range artifacts.FindAllStringSubmatch(read(t, folder), -1) {
			name := match[1] + ":" + match[2]
			if before := artifact[name]; before != "" && before != match[3] {
				t.Errorf("%s has its version by %s and by %s", name, before, match[3])
			}
			artifact[name] = match[3]
		}
	}
	for _, match := range regexp.MustCompile(`<([a-z0-9.-]+\.version)>`).FindAllStringSubmatch(read(t, "."), -1) {
		if !slices.Contains(used, match[1]) {
			t.Errorf("nothing has its version by the property %s. Remove the property.", match[1])
		}
	}
}

func TestWhatStandsInTheWrongPlaceIsFound(t *testing.T) {
	const parent = "<parent><version>1</version></parent>"
	for name, c := range map[string]struct {
		pom  string
		root bool
		want string
	}{
		"a dependency's":           {"<dependencies><dependency><version>${a.version}</version></dependency></dependencies>", false, "dependencyManagement"},
		"a plugin's":               {"<build><plugins><plugin><version>${a.version}</version></plugin></plugins></build>", false, "pluginManagement"},
		"a processor's":            {"<path><version>${a.version}</version></path>", false, "stands in a module"},
		"a number":                 {"<dependencyManagement><dependency><version>1.2</version></dependency></dependencyManagement>", false, "no property"},
		"a number beside a name":   {"<dependencyManagement><dependency><version>1.${a}</version></dependency></dependencyManagement>", false, "no property"},
		"a number in the root":     {"<build><plugins><plugin><version>3</version></plugin></plugins></build>", true, "no property"},
		"managed by the module":    {"<dependencyManagement><dependency><version>${a.version}</version></dependency></dependencyManagement>", false, ""},
		"managed by the root":      {"<dependencyManagement><dependency><version>${a.version}</version></dependency></dependencyManagement>", true, ""},
		"the root's own":           {"<version>0.1</version>", true, ""},
		"what an enforcer's rules": {"<rules><requireMavenVersion><version>[3,)</version></requireMavenVersion></rules>", true, ""},
		"a module's own":           {"<version>0.1</version>", false, "no property"},
	} {
		findings, err := Findings("pom.xml", "<project>"+parent+c.pom+"</project>", c.root)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(findings, "\n")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	if _, err := Findings("pom.xml", "<project>", false); err == nil {
		t.Error("a file that ends in the middle was read")
	}
}

package sbom

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	apache = `<licenses><license><name>The Apache License, Version 2.0</name><url>https://www.apache.org/licenses/LICENSE-2.0.txt</url></license></licenses>`
	parent = `<parent><groupId>org.example</groupId><artifactId>parent</artifactId><version>7</version></parent>`
)

// repository makes a Maven repository: paths to contents.
func repository(t *testing.T, files map[string]string) *Repository {
	t.Helper()
	r, err := OpenRepository(folder(t, files))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, content := range files {
		file := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// jar makes a jar of names and contents in turn.
func jar(t *testing.T, files ...string) string {
	t.Helper()
	var content bytes.Buffer
	out := zip.NewWriter(&content)
	for i := 0; i < len(files); i += 2 {
		file, err := out.Create(files[i])
		if err == nil {
			_, err = file.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return content.String()
}

func example(t *testing.T) *Repository {
	return repository(t, map[string]string{
		"org/example/thing/1.2/thing-1.2.jar":                    "thing",
		"org/example/thing/1.2/thing-1.2-linux.jar":              "native",
		"org/example/thing/1.2/thing-1.2.pom":                    `<?xml version="1.0" encoding="ISO-8859-1"?><project xmlns="http://maven.apache.org/POM/4.0.0">` + parent + `<name>` + "\xe9" + `</name></project>`,
		"org/example/parent/7/parent-7.pom":                      `<project>` + apache + `</project>`,
		"org/other/thing/1.2/thing-1.2.jar":                      "another of that name",
		"org/other/thing/1.2/thing-1.2.pom":                      `<project><licenses><license><name>GNU Lesser Public License</name></license></licenses></project>`,
		"org/example/choice/3/choice-3.jar":                      jar(t, "A", "class A", "B", "class B"),
		"org/example/choice/3/choice-3.pom":                      `<project><licenses><license><name>GNU General Public License</name></license><license><name>EPL 2.0</name></license></licenses></project>`,
		"org/example/nothing/3/nothing-3.jar":                    "nothing",
		"org/example/nothing/3/nothing-3.pom":                    `<project/>`,
		"org/example/thing/maven-metadata-of-no-version-dir.jar": "no artifact",
	})
}

func TestJarsAreFoundByTheNamesThatBuildsGiveThem(t *testing.T) {
	libraries, err := example(t).Libraries(folder(t, map[string]string{
		"lib/thing-1.2.jar": "thing", "lib/org.example.thing-1.2-linux.jar": "native", "lib/main/modified-org.example.choice-3.jar": jar(t, "A", "class A"),
		"lib/exaplane-store-0.1.0.jar": "ours", "lib/io.exaplane.exaplane-crds-0.1.0.jar": "ours", "app.jar": "ours", "quarkus/generated-bytecode.jar": "ours", "java.args": "",
	}))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, each := range libraries {
		names = append(names, each.Coordinates()+" "+strings.Join(each.Licences, "|"))
	}
	want := "org.example:choice:3 EPL-2.0|GPL, org.example:thing:1.2 Apache-2.0, org.example:thing:1.2:linux Apache-2.0"
	if got := strings.Join(names, ", "); got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	if !libraries[0].Modified || libraries[0].Shipped == libraries[0].Released {
		t.Errorf("the modified jar is %+v", libraries[0])
	}
}

func TestOfTwoJarsWithOneNameTheContentDecides(t *testing.T) {
	libraries, err := example(t).Libraries(folder(t, map[string]string{"thing-1.2.jar": "another of that name"}))
	if err != nil || len(libraries) != 1 || libraries[0].Group != "org.other" {
		t.Fatalf("got %+v, %v", libraries, err)
	}
}

func TestAJarOfUnknownOriginIsRefused(t *testing.T) {
	for name, want := range map[string]string{"stranger-1.jar": "no jar of this name", "choice-3.jar": "is not that of org.example:choice:3", "nothing-3.jar": "neither its pom"} {
		content := map[string]string{"stranger-1.jar": "x", "choice-3.jar": jar(t, "A", "another class A"), "nothing-3.jar": "nothing"}[name]
		if _, err := example(t).Libraries(folder(t, map[string]string{name: content})); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
	if _, err := example(t).Libraries(t.TempDir()); err == nil {
		t.Error("an empty folder has no libraries, and nobody said so")
	}
}

func TestALicenceThatIsNotAllowedIsRefused(t *testing.T) {
	lesser := Library{Group: "g", Artifact: "a", Version: "1", Licences: []string{"LGPL"}}
	free := Library{Group: "g", Artifact: "b", Version: "1", Released: "12", Licences: []string{"EPL-2.0", "GPL"}}
	files, err := Files(map[string][]Library{"store": {lesser, free}, "exactl": {free}})
	if err == nil || !strings.Contains(err.Error(), "g:a:1 has the licence LGPL") || strings.Contains(err.Error(), "g:b:1") {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(files[LicencesPage], "| g:b | 1 | EPL-2.0; GPL | exactl, store |\n") || !strings.Contains(files[Checksums], "12  g:b:1\n") {
		t.Errorf("got %v", files)
	}
}

func TestNamesOfLicencesAreKnown(t *testing.T) {
	for text, want := range map[string]string{
		"Apache 2.0 https://opensource.org/licenses/Apache-2.0": "Apache-2.0", "Eclipse Public License - v 1.0 http://www.eclipse.org/legal/epl-v10.html": "EPL-1.0",
		"Eclipse Public License v. 2.0 ": "EPL-2.0", "EDL 1.0 http://www.eclipse.org/org/documents/edl-v10.php": "BSD-3-Clause", "GPL2 w/ CPE ": classpath,
		"GNU General Public License, version 2 with the GNU Classpath Exception ": classpath, "Go License https://golang.org/LICENSE": "BSD-3-Clause",
		"Bouncy Castle Licence https://www.bouncycastle.org/licence.html": "MIT", "Public Domain, per Creative Commons CC0 ": "CC0-1.0", "Ours ": "Ours",
		"BSD 3-clause ": "BSD-3-Clause", "BSD-2-Clause ": "BSD-2-Clause", "0BSD ": "0BSD", "The MIT License ": "MIT", "GNU Lesser Public License http://www.gnu.org/licenses/lgpl.html": "LGPL",
		"The GNU General Public License, Version 2 ": "GPL",
	} {
		name, url, _ := strings.Cut(text, " http")
		if url != "" {
			url = "http" + url
		}
		if got := identifier(name, url); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestABillOfMaterialsIsTheSameEachTime(t *testing.T) {
	jars := folder(t, map[string]string{"thing-1.2.jar": "thing", "org.example.thing-1.2-linux.jar": "native"})
	first, err := example(t).OfFolder("store", "0.1.0", jars)
	if err != nil {
		t.Fatal(err)
	}
	second, _ := example(t).OfFolder("store", "0.1.0", jars)
	other, _ := example(t).OfFolder("store", "0.1.1", jars)
	if string(first) != string(second) || string(first) == string(other) {
		t.Error("the bytes do not follow from the parts alone")
	}
	var bom struct {
		SpecVersion, SerialNumber string
		Components                []struct {
			PURL   string
			Hashes []struct{ Content string }
		}
	}
	if err := json.Unmarshal(first, &bom); err != nil {
		t.Fatal(err)
	}
	if bom.SpecVersion != "1.6" || len(bom.SerialNumber) != 45 || len(bom.Components) != 2 || bom.Components[1].PURL != "pkg:maven/org.example/thing@1.2?classifier=linux&type=jar" || len(bom.Components[0].Hashes[0].Content) != 64 {
		t.Errorf("got %+v", bom)
	}
}

func TestADifferenceNamesTheLines(t *testing.T) {
	root := folder(t, map[string]string{LicencesPage: "| a |\n| old |\n"})
	if err := Compare(root, LicencesPage, "| a |\n| old |\n"); err != nil {
		t.Error(err)
	}
	if err := Compare(root, LicencesPage, "| a |\n| new |\n"); err == nil || !strings.Contains(err.Error(), "+ | new |\n- | old |") {
		t.Errorf("got %v", err)
	}
}

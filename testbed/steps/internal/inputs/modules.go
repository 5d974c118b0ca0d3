package inputs

import (
	"encoding/xml"
	"fmt"
	"os"
	"path"
	"path/filepath"
)

// Modules are the Maven modules of a tree: what each is made from, as its pom says.
type Modules struct {
	byFolder   map[string]*module
	byArtifact map[string]*module
}

type module struct {
	folder     string
	ArtifactID string `xml:"artifactId"`
	// Submodules are listed by the root's pom.
	Submodules   []string     `xml:"modules>module"`
	Dependencies []dependency `xml:"dependencies>dependency"`
}

type dependency struct {
	GroupID    string `xml:"groupId"`
	ArtifactID string `xml:"artifactId"`
	// Type is test-jar when the tests' classes are meant.
	Type string `xml:"type"`
	// Scope is test for what only the module's own tests use; it is not handed on.
	Scope string `xml:"scope"`
}

const ownGroup = "io.exaplane"

// ReadModules reads the root's pom and those of its modules.
func ReadModules(root string) (*Modules, error) {
	top, err := readPom(root, ".")
	if err != nil {
		return nil, err
	}
	modules := &Modules{byFolder: map[string]*module{}, byArtifact: map[string]*module{}}
	for _, folder := range top.Submodules {
		m, err := readPom(root, folder)
		if err != nil {
			return nil, err
		}
		modules.byFolder[folder], modules.byArtifact[m.ArtifactID] = m, m
	}
	return modules, nil
}

func readPom(root, folder string) (*module, error) {
	file := filepath.Join(root, folder, "pom.xml")
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m := &module{folder: folder}
	if err := xml.Unmarshal(content, m); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
}

// Sources are patterns of all that a module's tests are compiled from and read: its own sources and tests, and the sources of the modules that it depends on.
// Every pom is among them, since Maven reads them all.
func (m *Modules) Sources(folder string) ([]string, error) {
	own := m.byFolder[folder]
	if own == nil {
		return nil, fmt.Errorf("module:%s: the root's pom has no such module", folder)
	}
	patterns := []string{"pom.xml", path.Join(folder, "src")}
	for f := range m.byFolder {
		patterns = append(patterns, path.Join(f, "pom.xml"))
	}
	seen := map[string]bool{}
	var visit func(*module)
	visit = func(of *module) {
		for _, d := range of.Dependencies {
			on := m.byArtifact[d.ArtifactID]
			if d.GroupID != ownGroup || on == nil || seen[on.folder+d.Type] || d.Scope == "test" && of != own {
				continue
			}
			seen[on.folder+d.Type] = true
			patterns = append(patterns, path.Join(on.folder, "src/main"))
			if d.Type == "test-jar" {
				patterns = append(patterns, path.Join(on.folder, "src/test"))
			}
			visit(on)
		}
	}
	visit(own)
	return patterns, nil
}

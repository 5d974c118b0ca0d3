package sbom

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Files of the tree that are written from the libraries of all programs.
const (
	LicencesPage = "docs/licences.md"
	Checksums    = "testbed/libraries.sha256"
)

const pageHead = `# Licences of libraries

The images and ` + "`exactl`" + ` contain these libraries of other projects. ` + "`./exa generate`" + ` writes this page, and the step ` + "`licences`" + ` of
` + "`./exa test`" + ` refuses a library without one of the allowed licences. If a row names several licences, choose one of them.
[Security](security.md) says where each image has the list of its parts.

Allowed: %s.

| library | version | licence | in |
|---|---|---|---|
`

const sumsHead = `# SHA-256 of each library in the images and in exactl, as its repository has it. './exa generate' writes this file, and the step 'licences' compares it with each build.
`

// Files renders the page of licences and the checksums, from the libraries of each program. It refuses libraries whose licence is not allowed, all in one error.
func Files(programs map[string][]Library) (map[string]string, error) {
	names := slices.Sorted(maps.Keys(programs))
	in := map[string][]string{}
	byName := map[string]Library{}
	var problems []error
	for _, program := range names {
		for _, library := range programs[program] {
			name := library.Coordinates()
			if before, seen := byName[name]; seen && before.Released != library.Released {
				problems = append(problems, fmt.Errorf("%s has two contents, %s and %s: delete the library from the Maven repository, and build again", name, before.Released, library.Released))
			} else if why := refused(library); !seen && why != "" {
				problems = append(problems, errors.New(why))
			}
			byName[name] = library
			in[name] = append(in[name], program)
		}
	}
	var page, sums strings.Builder
	fmt.Fprintf(&page, pageHead, strings.Join(Allowed, ", "))
	sums.WriteString(sumsHead)
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		library := byName[name]
		artifact := library.Group + ":" + library.Artifact
		if library.Classifier != "" {
			artifact += ":" + library.Classifier
		}
		fmt.Fprintf(&page, "| %s | %s | %s | %s |\n", artifact, library.Version, strings.Join(library.Licences, "; "), strings.Join(in[name], ", "))
		fmt.Fprintf(&sums, "%s  %s\n", library.Released, name)
	}
	return map[string]string{LicencesPage: page.String(), Checksums: sums.String()}, errors.Join(problems...)
}

// Compare says in which lines a committed file differs from the one that the libraries give; nil when it does not.
func Compare(root, file, want string) error {
	content, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		return fmt.Errorf("%w; run './exa generate' and commit the result", err)
	}
	if string(content) == want {
		return nil
	}
	var differences []string
	for line := range strings.Lines(want) {
		if !strings.Contains(string(content), line) {
			differences = append(differences, "+ "+strings.TrimSpace(line))
		}
	}
	for line := range strings.Lines(string(content)) {
		if !strings.Contains(want, line) {
			differences = append(differences, "- "+strings.TrimSpace(line))
		}
	}
	return fmt.Errorf("%s is not what the build contains: check each library below, run './exa generate', and commit the result\n%s", file, strings.Join(differences, "\n"))
}

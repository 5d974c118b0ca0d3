package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"exaplane.io/testbed/node/internal/images"
	"exaplane.io/testbed/node/internal/registry"
	"exaplane.io/testbed/node/internal/sbom"
)

// home is the tree, which ./exa names.
func home() string { return os.Getenv("EXA_HOME") }

// repository is the local Maven repository that builds of this tree use.
func repository() string {
	return environment("EXA_MAVEN_REPOSITORY", filepath.Join(environment("HOME", "/root"), ".m2/repository"))
}

// program reads NAME=VERSION.
func program(words, jars string) images.Program {
	name, version, _ := strings.Cut(words, "=")
	return images.Program{Name: name, Version: version, Jars: jars, Licence: filepath.Join(home(), "LICENSE"), Repository: repository()}
}

func writeBOM(folder, words, file string) error {
	r, err := sbom.OpenRepository(repository())
	if err != nil {
		return err
	}
	p := program(words, folder)
	bom, err := r.OfFolder(p.Name, p.Version, folder)
	if err != nil {
		return err
	}
	return os.WriteFile(file, bom, 0o644)
}

// libraries compares the committed page and checksums with the libraries of the programs, given as NAME=FOLDER, or writes them.
func libraries(write bool, programs []string) error {
	r, err := sbom.OpenRepository(repository())
	if err != nil {
		return err
	}
	byProgram := map[string][]sbom.Library{}
	for _, each := range programs {
		name, folder, _ := strings.Cut(each, "=")
		if byProgram[name], err = r.Libraries(folder); err != nil {
			return err
		}
	}
	files, err := sbom.Files(byProgram)
	problems := []error{err}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if write {
			problems = append(problems, os.WriteFile(filepath.Join(home(), file), []byte(files[file]), 0o644))
		} else {
			problems = append(problems, sbom.Compare(home(), file, files[file]))
		}
	}
	return errors.Join(problems...)
}

func withRegistry(command []string) error {
	address, stop, err := registry.Temporary()
	if err != nil {
		return err
	}
	defer stop()
	c := exec.Command(command[0], command[1:]...)
	c.Stdin, c.Stdout, c.Stderr, c.Env = os.Stdin, os.Stdout, os.Stderr, append(os.Environ(), "EXA_REGISTRY="+address)
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	}
	return nil
}

// Package sbom says which libraries of other projects are in a folder of jars: by the local Maven repository that the build took them from. It knows no image.
package sbom

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Library is a jar that another project released.
type Library struct {
	Group, Artifact, Version, Classifier string
	Modified                             bool     // Quarkus' build took files out of the jar
	Shipped                              string   // SHA-256 of the jar in the folder
	Released                             string   // SHA-256 of the jar in the repository
	Licences                             []string // identifiers of SPDX; whoever uses the library may choose one
}

// Coordinates is the library's name in Maven, as group:artifact:version, with a classifier behind it if there is one.
func (l Library) Coordinates() string {
	name := l.Group + ":" + l.Artifact + ":" + l.Version
	if l.Classifier != "" {
		name += ":" + l.Classifier
	}
	return name
}

// Repository is a local Maven repository, by the names that builds give to copies of its jars.
type Repository struct {
	root   string
	byName map[string][]found
}

type found struct {
	library Library
	path    string
}

var (
	// Jars of this project, under the names that Maven, Quarkus and the launcher give them.
	own = regexp.MustCompile(`^((io\.exaplane\.)?exaplane-.*|app|quarkus-run|generated-bytecode|transformed-bytecode)\.jar$`)
)

// modified marks the name of a jar that Quarkus took files out of, in some of its ways to package.
const modified = "modified-"

// OpenRepository reads the names of all jars below a folder.
func OpenRepository(root string) (*Repository, error) {
	r := &Repository{root: root, byName: map[string][]found{}}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".jar") {
			return err
		}
		relative, _ := filepath.Rel(root, path)
		parts := strings.Split(relative, "/")
		if len(parts) < 4 {
			return nil
		}
		n := len(parts)
		library := Library{Group: strings.Join(parts[:n-3], "."), Artifact: parts[n-3], Version: parts[n-2]}
		file, plain := parts[n-1], library.Artifact+"-"+library.Version
		if !strings.HasPrefix(file, plain) {
			return nil
		}
		library.Classifier = strings.TrimPrefix(strings.TrimSuffix(strings.TrimPrefix(file, plain), ".jar"), "-")
		for _, name := range []string{file, library.Group + "." + file} {
			r.byName[name] = append(r.byName[name], found{library, path})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the Maven repository %s can't be read: %w; name another folder in EXA_MAVEN_REPOSITORY", root, err)
	}
	return r, nil
}

// Libraries returns the libraries of a folder and of the folders in it, by their coordinates. A jar that is neither this project's nor in the repository is an error.
func (r *Repository) Libraries(folder string) ([]Library, error) {
	var all []Library
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".jar") || own.MatchString(entry.Name()) {
			return err
		}
		library, err := r.library(path)
		if err == nil {
			all = append(all, library)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no library is in %s: name the folder that the program's jars are in", folder)
	}
	slices.SortFunc(all, func(a, b Library) int { return strings.Compare(a.Coordinates(), b.Coordinates()) })
	return slices.CompactFunc(all, func(a, b Library) bool { return a.Coordinates() == b.Coordinates() }), nil
}

func (r *Repository) library(path string) (Library, error) {
	shipped, err := sha256Of(path)
	if err != nil {
		return Library{}, err
	}
	candidates := r.byName[strings.TrimPrefix(filepath.Base(path), modified)]
	for _, candidate := range candidates {
		released, err := sha256Of(candidate.path)
		if err != nil {
			return Library{}, err
		}
		// Quarkus takes files out of some jars, of whose names it marks some.
		isModified := released != shipped
		if !isModified || isPart(path, candidate.path) {
			library := candidate.library
			library.Modified, library.Shipped, library.Released = isModified, shipped, released
			library.Licences, err = r.licences(library.Group, library.Artifact, library.Version)
			return library, err
		}
	}
	if len(candidates) > 0 {
		return Library{}, fmt.Errorf("%s: SHA-256 %s is not that of %s in the Maven repository, and the jar has files that the released one lacks: delete both, and build again", path, shipped, candidates[0].library.Coordinates())
	}
	return Library{}, fmt.Errorf("%s: no jar of this name is in the Maven repository %s: name the repository of the build in EXA_MAVEN_REPOSITORY", path, r.root)
}

// isPart tells whether a jar has no file that a released one does not have with the same content.
func isPart(path, released string) bool {
	part, err := contents(path)
	whole, wholeErr := contents(released)
	if err != nil || wholeErr != nil {
		return false
	}
	for name, sum := range part {
		if whole[name] != sum {
			return false
		}
	}
	return len(part) > 0
}

// contents are the SHA-256 of a jar's files, by their names.
func contents(path string) (map[string][sha256.Size]byte, error) {
	jar, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer jar.Close()
	sums := map[string][sha256.Size]byte{}
	for _, file := range jar.File {
		if file.FileInfo().IsDir() {
			continue
		}
		in, err := file.Open()
		if err != nil {
			return nil, err
		}
		sum := sha256.New()
		_, err = io.Copy(sum, in)
		if err = errors.Join(err, in.Close()); err != nil {
			return nil, err
		}
		sums[file.Name] = [sha256.Size]byte(sum.Sum(nil))
	}
	return sums, nil
}

func sha256Of(path string) (string, error) {
	in, err := os.Open(path)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, in)
	return hex.EncodeToString(sum.Sum(nil)), errors.Join(err, in.Close())
}

package sbom

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const classpath = "GPL-2.0-only WITH Classpath-exception-2.0"

// Allowed are the licences under which a library may be in an image: all of them let the product keep its own.
var Allowed = []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "EPL-1.0", "EPL-2.0", "ISC", "MIT", classpath}

// Projects write the names of licences in many ways: the first pattern that matches a name and its URL, in lower case, decides.
var spdx = []struct {
	pattern *regexp.Regexp
	id      string
}{
	{regexp.MustCompile(`classpath|w/ cpe|secondary-gpl-2.0-cp`), classpath},
	{regexp.MustCompile(`lesser|lgpl`), "LGPL"},
	{regexp.MustCompile(`\bgpl|general public`), "GPL"},
	{regexp.MustCompile(`apache.*2`), "Apache-2.0"},
	{regexp.MustCompile(`edl|eclipse distribution`), "BSD-3-Clause"},
	{regexp.MustCompile(`(epl|eclipse public).*(v ?1|1\.0)`), "EPL-1.0"},
	{regexp.MustCompile(`(epl|eclipse public).*2`), "EPL-2.0"},
	{regexp.MustCompile(`0bsd|bsd zero`), "0BSD"},
	{regexp.MustCompile(`bsd.?2`), "BSD-2-Clause"},
	{regexp.MustCompile(`bsd.?3|golang.org/license`), "BSD-3-Clause"},
	{regexp.MustCompile(`\bcc0\b`), "CC0-1.0"},
	{regexp.MustCompile(`\bisc\b`), "ISC"},
	{regexp.MustCompile(`\bmit\b|bouncycastle.org/licence`), "MIT"},
}

type pom struct {
	Licences []struct {
		Name string `xml:"name"`
		URL  string `xml:"url"`
	} `xml:"licenses>license"`
	Parent struct {
		Group    string `xml:"groupId"`
		Artifact string `xml:"artifactId"`
		Version  string `xml:"version"`
	} `xml:"parent"`
}

// licences reads the pom of a library, and the poms above it until one names licences.
func (r *Repository) licences(group, artifact, version string) ([]string, error) {
	library := group + ":" + artifact + ":" + version
	for depth := 0; depth < 10 && artifact != ""; depth++ {
		file := filepath.Join(r.root, strings.ReplaceAll(group, ".", "/"), artifact, version, artifact+"-"+version+".pom")
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("the licence of %s is unknown: %w", library, err)
		}
		var p pom
		decoder := xml.NewDecoder(bytes.NewReader(content))
		decoder.CharsetReader = latin1
		if err := decoder.Decode(&p); err != nil {
			return nil, fmt.Errorf("the licence of %s is unknown: %s: %w", library, file, err)
		}
		if len(p.Licences) > 0 {
			var all []string
			for _, each := range p.Licences {
				all = append(all, identifier(each.Name, each.URL))
			}
			slices.Sort(all)
			return slices.Compact(all), nil
		}
		group, artifact, version = strings.TrimSpace(p.Parent.Group), strings.TrimSpace(p.Parent.Artifact), strings.TrimSpace(p.Parent.Version)
	}
	return nil, fmt.Errorf("the licence of %s is unknown: neither its pom nor one above it names one; take the library out, or exclude it where it comes from", library)
}

// latin1 reads the one other encoding that poms have.
func latin1(_ string, in io.Reader) (io.Reader, error) {
	content, err := io.ReadAll(in)
	runes := make([]rune, len(content))
	for i, b := range content {
		runes[i] = rune(b)
	}
	return strings.NewReader(string(runes)), err
}

// identifier is SPDX's name of a licence, or the name as it is written when no pattern knows it.
func identifier(name, url string) string {
	text := strings.ToLower(strings.TrimSpace(name) + " " + strings.TrimSpace(url))
	for _, each := range spdx {
		if each.pattern.MatchString(text) {
			return each.id
		}
	}
	return strings.TrimSpace(name)
}

// refused says why a library may not be shipped; empty when one of its licences is allowed.
func refused(l Library) string {
	for _, each := range l.Licences {
		if slices.Contains(Allowed, each) {
			return ""
		}
	}
	return fmt.Sprintf("%s has the licence %s, and allowed are %s: exclude the library where it comes from, or take another", l.Coordinates(), strings.Join(l.Licences, " or "), strings.Join(Allowed, ", "))
}

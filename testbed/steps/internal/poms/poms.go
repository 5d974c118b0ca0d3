// Package poms holds where versions stand in Maven's files: in the root, once, as a property with a name.
package poms

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

var property = regexp.MustCompile(`^\$\{([a-zA-Z0-9.-]+)\}$`)

// Findings are sentences, one for each version that stands where it should not. A module names a version only for its parent, and in its
// dependencyManagement by a property; the root names all but its own by properties.
func Findings(name string, pom string, root bool) ([]string, error) {
	var findings []string
	err := versions(pom, func(path []string, version string) {
		where := strings.Join(path, "/")
		if slices.Contains(path, "parent") || slices.Contains(path, "rules") || root && where == "project" {
			return
		}
		switch {
		case !property.MatchString(version):
			findings = append(findings, fmt.Sprintf("%s: %s: the version %s is no property. Name a property of the root's pom.xml.", name, where, version))
		case !root && !slices.Contains(path, "dependencyManagement"):
			findings = append(findings, fmt.Sprintf("%s: %s: the version %s stands in a module. Move it to the dependencyManagement or pluginManagement of the root's pom.xml.", name, where, version))
		}
	})
	return findings, err
}

// Properties are the names of the properties by which a pom gives versions.
func Properties(pom string) ([]string, error) {
	var names []string
	err := versions(pom, func(_ []string, version string) {
		if match := property.FindStringSubmatch(version); match != nil {
			names = append(names, match[1])
		}
	})
	return names, err
}

// versions passes the text of each element with the name version, and the names of those that it is in.
func versions(pom string, pass func(path []string, version string)) error {
	decoder := xml.NewDecoder(strings.NewReader(pom))
	var path []string
	var text strings.Builder
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			path = append(path, t.Name.Local)
			text.Reset()
		case xml.CharData:
			text.Write(t)
		case xml.EndElement:
			path = path[:len(path)-1]
			if t.Name.Local == "version" {
				pass(path, strings.TrimSpace(text.String()))
			}
		}
	}
}

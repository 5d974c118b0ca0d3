package images

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"exaplane.io/testbed/node/internal/sbom"
	cdx "github.com/CycloneDX/cyclonedx-go"
)

// A debian is a package of Debian, as its database has it.
type debian struct {
	name, version, architecture string
	control                     []byte // its entry
	copyright                   []byte // its licences, as Debian ships them
}

// owners are the packages of the files, each once and by its name; none where Debian's database is missing.
func owners(files []string) ([]debian, error) {
	if _, err := exec.LookPath("dpkg-query"); err != nil {
		return nil, nil
	}
	var names []string
	for _, file := range files {
		name, err := owner(file)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	slices.Sort(names)
	var all []debian
	for _, name := range slices.Compact(names) {
		control, err := exec.Command("dpkg-query", "--status", name).Output()
		if err != nil {
			return nil, fmt.Errorf("dpkg-query --status %s: %w", name, err)
		}
		p := debian{name: name, version: field(control, "Version"), architecture: field(control, "Architecture"), control: control}
		if p.copyright, err = os.ReadFile("/usr/share/doc/" + name + "/copyright"); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// owner is the package that a file belongs to: /lib is a link to /usr/lib, and the database has either path.
func owner(file string) (string, error) {
	for _, path := range []string{file, strings.TrimPrefix(file, "/usr"), "/usr" + file} {
		out, err := exec.Command("dpkg-query", "--search", path).Output()
		if name, _, isOwned := strings.Cut(string(out), ":"); err == nil && isOwned {
			return name, nil
		}
	}
	return "", fmt.Errorf("no package of Debian owns %s, and the images' lists of parts name each: install the package again that has this file", file)
}

func field(control []byte, name string) string {
	for line := range bytes.Lines(control) {
		if value, is := strings.CutPrefix(string(line), name+": "); is {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// component is the package in CycloneDX.
func (p debian) component() cdx.Component {
	purl := fmt.Sprintf("pkg:deb/debian/%s@%s?arch=%s", p.name, strings.ReplaceAll(url.QueryEscape(p.version), "%3A", ":"), p.architecture)
	return cdx.Component{BOMRef: purl, Type: cdx.ComponentTypeLibrary, Name: p.name, Version: p.version, PackageURL: purl}
}

// runtime is the Java runtime in CycloneDX, from its file 'release'.
func runtimeComponent(jre string) (cdx.Component, error) {
	release, err := os.ReadFile(filepath.Join(jre, "release"))
	if err != nil {
		return cdx.Component{}, err
	}
	values := map[string]string{}
	for line := range strings.Lines(string(release)) {
		if key, value, is := strings.Cut(strings.TrimSpace(line), "="); is {
			values[key] = strings.Trim(value, `"`)
		}
	}
	version := values["JAVA_VERSION"]
	if version == "" {
		return cdx.Component{}, fmt.Errorf("%s/release names no JAVA_VERSION: delete the folder and run the same command again", jre)
	}
	return cdx.Component{BOMRef: "java-runtime", Type: cdx.ComponentTypePlatform, Name: "openjdk", Version: version, Description: values["IMPLEMENTOR"],
		CPE: "cpe:2.3:a:oracle:openjdk:" + version + ":*:*:*:*:*:*:*", PackageURL: "pkg:generic/openjdk@" + version}, nil
}

// provenance is what tells a scanner which parts of other projects the base has: the system's name, Debian's entries of the packages, their licences, and a bill of materials.
func provenance(jre string, files []string) ([]Entry, error) {
	java, err := runtimeComponent(jre)
	if err != nil {
		return nil, err
	}
	packages, err := owners(files)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, name := range []string{"/etc/os-release", "/etc/debian_version"} {
		content, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		if err == nil {
			entries = append(entries, Entry{At: name, Content: content})
		}
	}
	components := []cdx.Component{java}
	for _, p := range packages {
		entries = append(entries, Entry{At: "/var/lib/dpkg/status.d/" + p.name, Content: p.control})
		if p.copyright != nil {
			entries = append(entries, Entry{At: "/usr/share/doc/" + p.name + "/copyright", Content: p.copyright})
		}
		components = append(components, p.component())
	}
	bom, err := sbom.Write("base", java.Version, components)
	if err != nil {
		return nil, err
	}
	return append(entries, Entry{At: "/licenses/base.cdx.json", Content: bom}), nil
}

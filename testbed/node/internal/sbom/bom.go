package sbom

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// Component is the library in CycloneDX.
func (l Library) Component() cdx.Component {
	purl := fmt.Sprintf("pkg:maven/%s/%s@%s?type=jar", l.Group, l.Artifact, url.PathEscape(l.Version))
	if l.Classifier != "" {
		purl = strings.Replace(purl, "?type=jar", "?classifier="+url.QueryEscape(l.Classifier)+"&type=jar", 1)
	}
	component := cdx.Component{BOMRef: purl, Type: cdx.ComponentTypeLibrary, Group: l.Group, Name: l.Artifact, Version: l.Version, PackageURL: purl,
		Hashes: &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: l.Shipped}}, Licenses: choice(l.Licences)}
	if l.Modified {
		component.Pedigree = &cdx.Pedigree{Notes: "Quarkus' build took files out of this jar. The released one has the SHA-256 " + l.Released + "."}
	}
	return component
}

// choice is one expression, since CycloneDX takes several licences for all of them at once.
func choice(licences []string) *cdx.Licenses {
	if len(licences) == 0 {
		return nil
	}
	return &cdx.Licenses{{Expression: strings.Join(licences, " OR ")}}
}

// Write renders the bill of materials of a program or of a base image. The same parts give the same bytes: it has no time, and its serial number comes from its parts.
func Write(name, version string, components []cdx.Component) ([]byte, error) {
	parts, err := json.Marshal(components)
	if err != nil {
		return nil, err
	}
	id := sha256.Sum256(append([]byte(name+" "+version+" "), parts...))
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // a UUID whose content is the writer's own, version 8
	bom := cdx.NewBOM()
	bom.SerialNumber = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:16])
	bom.Metadata = &cdx.Metadata{Component: &cdx.Component{BOMRef: "exaplane-" + name, Type: cdx.ComponentTypeApplication, Group: "io.exaplane", Name: name, Version: version,
		Licenses: choice([]string{"Apache-2.0"})}}
	bom.Components = &components
	var out strings.Builder
	err = cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6)
	return []byte(out.String()), err
}

// OfFolder is the bill of materials of a program whose jars are in a folder.
func (r *Repository) OfFolder(name, version, folder string) ([]byte, error) {
	libraries, err := r.Libraries(folder)
	if err != nil {
		return nil, err
	}
	var components []cdx.Component
	for _, each := range libraries {
		components = append(components, each.Component())
	}
	return Write(name, version, components)
}

package images

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"exaplane.io/testbed/node/internal/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// layersAllowed and labelsWanted are those of openshift-preflight, internal/policy/container.
const layersAllowed = 40

var labelsWanted = []string{"name", "vendor", "version", "release", "summary", "description", "maintainer"}

// preflight is what openshift-preflight's checks of an image say that need no account: HasLicense, HasUniqueTag, LayerCountAcceptable, HasRequiredLabel,
// HasNoProhibitedLabels, HasNoProhibitedPackages (without a database of rpm, there are none), and RunAsNonRoot.
func preflight(image v1.Image, tags []string) (found []string) {
	file, err := image.ConfigFile()
	layers, layersError := image.Layers()
	if err = errors.Join(err, layersError); err != nil {
		return []string{err.Error()}
	}
	if len(layers) > layersAllowed {
		found = append(found, "LayerCountAcceptable")
	}
	for _, label := range labelsWanted {
		value := file.Config.Labels[label]
		if value == "" {
			found = append(found, "HasRequiredLabel: "+label)
		}
		if strings.Contains(strings.ReplaceAll(strings.ToLower(value), " ", ""), "redhat") {
			found = append(found, "HasNoProhibitedLabels: "+label)
		}
	}
	if user := strings.Split(file.Config.User, ":")[0]; user == "" || user == "0" || user == "root" {
		found = append(found, "RunAsNonRoot")
	}
	if len(tags) == 0 || len(tags) == 1 && tags[0] == "latest" {
		found = append(found, "HasUniqueTag")
	}
	files, err := filesOf(layers)
	if err != nil {
		return append(found, err.Error())
	}
	if files["licenses/LICENSE"] == 0 {
		found = append(found, "HasLicense")
	}
	for path := range files {
		if strings.HasPrefix(path, "var/lib/rpm/") {
			found = append(found, "HasNoProhibitedPackages: "+path)
		}
	}
	return found
}

// filesOf is the size of each file by its path.
func filesOf(layers []v1.Layer) (map[string]int64, error) {
	files := map[string]int64{}
	for _, l := range layers {
		content, err := l.Uncompressed()
		if err != nil {
			return nil, err
		}
		in := tar.NewReader(content)
		header, err := in.Next()
		for ; err == nil; header, err = in.Next() {
			files[header.Name] = header.Size
		}
		if closed := content.Close(); !errors.Is(err, io.EOF) || closed != nil {
			return nil, errors.Join(err, closed)
		}
	}
	return files, nil
}

func TestOurImagesPassTheChecksOfPreflightThatNeedNoAccount(t *testing.T) {
	folder := t.TempDir()
	at := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	base := filepath.Join(folder, "base.tar")
	image := Image{Layers: [][]Entry{{{At: "/opt/java/release", Content: []byte("x")}}}, Config: v1.Config{User: "10001:0"}}
	if err := image.Write(base, "base:1"); err != nil {
		t.Fatal(err)
	}
	// A library that the build's repository of Maven knows: a program without any is a mistake.
	app := filepath.Dir(at("app/thing-1.jar", "thing"))
	at("app/java.args", "-version")
	at("m2/org/example/thing/1/thing-1.jar", "thing")
	at("m2/org/example/thing/1/thing-1.pom", "<project><licenses><license><name>Apache-2.0</name></license></licenses></project>")
	address, stop, err := registry.Temporary()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	for _, name := range []string{"operator", "store", "scheduler"} {
		program := Program{Name: name, Version: "0.1.0", Jars: app, Licence: at("LICENSE", "Apache"), Repository: filepath.Join(folder, "m2")}
		full := address + "/exaplane/" + name + ":0.1.0"
		if err := PushJavaApp(base, app, full, program); err != nil {
			t.Fatal(err)
		}
		reference, err := reference(full)
		if err != nil {
			t.Fatal(err)
		}
		pushed, err := remote.Image(reference)
		if err != nil {
			t.Fatal(err)
		}
		tags, err := remote.List(reference.Context())
		if err != nil {
			t.Fatal(err)
		}
		if found := preflight(pushed, tags); len(found) > 0 {
			t.Errorf("%s does not pass: %s", name, strings.Join(found, ", "))
		}
		if file, _ := pushed.ConfigFile(); strings.HasPrefix(file.Config.Labels["summary"], "A program") {
			t.Errorf("%s has no summary", name)
		}
	}
	bare, err := image.Build()
	if err != nil {
		t.Fatal(err)
	}
	if found := preflight(bare, []string{"latest"}); len(found) != len(labelsWanted)+2 {
		t.Errorf("an image without labels, licence and tag: %s", strings.Join(found, ", "))
	}
}

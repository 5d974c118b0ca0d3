package images

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"exaplane.io/testbed/node/internal/registry"
	"exaplane.io/testbed/node/internal/sbom"
	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// A Program is what one of our images holds.
type Program struct {
	Name, Version string
	Jars          string // the folder with its jars
	Licence       string // the file with the product's licence
	Repository    string // the local Maven repository of the build
}

// licences is the layer of the licence and the bill of materials of the program.
func (p Program) licences() ([]Entry, error) {
	licence, err := os.ReadFile(p.Licence)
	if err != nil {
		return nil, err
	}
	repository, err := sbom.OpenRepository(p.Repository)
	if err != nil {
		return nil, err
	}
	bom, err := repository.OfFolder(p.Name, p.Version, p.Jars)
	if err != nil {
		return nil, err
	}
	return []Entry{{At: "/licenses/LICENSE", Content: licence}, {At: "/licenses/" + p.Name + ".cdx.json", Content: bom}}, nil
}

// PushJavaApp puts a folder as /app on the base image of our Java images and pushes it under its full name. The folder's java.args holds what Java is
// started with; arguments of the container come behind it. Credentials are taken from where docker and podman keep them.
func PushJavaApp(base, folder, fullName string, p Program) error {
	image, err := tarball.ImageFromPath(base, nil)
	if err != nil {
		return fmt.Errorf("%s: %w; delete it and run the same command again", base, err)
	}
	licences, err := p.licences()
	if err != nil {
		return err
	}
	for _, entries := range [][]Entry{{{From: folder, At: "/app"}}, licences} {
		if image, err = appendLayer(image, entries); err != nil {
			return err
		}
	}
	if image, err = p.configured(image, func(config *v1.Config) { config.Entrypoint = []string{"/opt/java/bin/java", "@/app/java.args"} }); err != nil {
		return err
	}
	return push(image, fullName)
}

// configured is the image with the program's labels, and with what the change makes of its configuration.
func (p Program) configured(image v1.Image, change func(*v1.Config)) (v1.Image, error) {
	file, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config := file.DeepCopy().Config
	config.Labels = p.labels()
	change(&config)
	return mutate.Config(image, config)
}

// labels are those that catalogues of images ask for, among them the seven of openshift-preflight.
func (p Program) labels() map[string]string {
	summary := map[string]string{"operator": "Runs control planes of Kubernetes clusters in a management cluster", "store": "An etcd v3 in memory, with a journal, for control planes",
		"scheduler": "Places pods as kube-scheduler does, from one process or from many"}[p.Name]
	if summary == "" {
		summary = "A program of Exaplane"
	}
	return map[string]string{
		"name": "exaplane/" + p.Name, "vendor": "Exaplane", "maintainer": "Exaplane maintainers", "version": p.Version, "release": "1", "summary": summary, "description": summary + ".",
		"org.opencontainers.image.title": "exaplane/" + p.Name, "org.opencontainers.image.version": p.Version, "org.opencontainers.image.description": summary + ".",
		"org.opencontainers.image.licenses": "Apache-2.0",
	}
}

// PushBuilt runs a build that pushes an image itself, adds the layer of licences, and pushes the image under its full name. In the command's words, {image} is
// the name that the build is to push to: in a registry of this process, on loopback, whose certificate nobody checks.
func PushBuilt(fullName string, p Program, command ...string) error {
	address, stop, err := registry.Temporary()
	if err != nil {
		return err
	}
	defer stop()
	built := address + "/built/" + p.Name + ":1"
	for i, word := range command {
		command[i] = strings.ReplaceAll(word, "{image}", built)
	}
	build := exec.Command(command[0], command[1:]...)
	build.Stdout, build.Stderr = os.Stdout, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("the build of %s: %w", p.Name, err)
	}
	reference, err := name.ParseReference(built, name.Insecure)
	if err != nil {
		return err
	}
	image, err := remote.Image(reference)
	if err != nil {
		return fmt.Errorf("the build of %s pushed no image: %w", p.Name, err)
	}
	licences, err := p.licences()
	if err != nil {
		return err
	}
	if image, err = appendLayer(image, licences); err != nil {
		return err
	}
	if image, err = p.configured(image, func(*v1.Config) {}); err != nil {
		return err
	}
	return push(image, fullName)
}

func appendLayer(image v1.Image, entries []Entry) (v1.Image, error) {
	content, err := layer(entries)
	if err != nil {
		return nil, err
	}
	l, err := tarball.LayerFromOpener(content.open)
	if err != nil {
		return nil, err
	}
	return mutate.AppendLayers(image, l)
}

func push(image v1.Image, fullName string) error {
	reference, err := reference(fullName)
	if err != nil {
		return err
	}
	return remote.Write(reference, image, remote.WithAuthFromKeychain(authn.DefaultKeychain))
}

// reference reads a full name; registries on loopback have no certificate.
func reference(fullName string) (name.Reference, error) {
	var options []name.Option
	for _, loopback := range []string{"127.0.0.1", "localhost", "[::1]"} {
		if strings.HasPrefix(fullName, loopback) {
			options = append(options, name.Insecure)
		}
	}
	return name.ParseReference(fullName, options...)
}

// Describe names the digests of an image: of the whole, of its configuration, and of each layer, one a line.
func Describe(fullName string) (string, error) {
	reference, err := reference(fullName)
	if err != nil {
		return "", err
	}
	image, err := remote.Image(reference, remote.WithAuthFromKeychain(authn.DefaultKeychain))
	if err != nil {
		return "", err
	}
	whole, err := image.Digest()
	configuration, configError := image.ConfigName()
	layers, layersError := image.Layers()
	if err = errors.Join(err, configError, layersError); err != nil {
		return "", err
	}
	text := fmt.Sprintf("image  %s\nconfig %s\n", whole, configuration)
	for _, l := range layers {
		digest, err := l.Digest()
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf("layer  %s\n", digest)
	}
	return text, nil
}

package images

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// PushJavaApp puts a folder as /app on the base image of our Java images and pushes it under its full name. The folder's java.args holds what Java is
// started with; arguments of the container come behind it. Credentials are taken from where docker and podman keep them.
func PushJavaApp(base, folder, fullName string) error {
	image, err := tarball.ImageFromPath(base, nil)
	if err != nil {
		return fmt.Errorf("%s: %w; delete it and run the same command again", base, err)
	}
	content, err := layer([]Entry{{From: folder, At: "/app"}})
	if err != nil {
		return err
	}
	l, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil })
	if err != nil {
		return err
	}
	if image, err = mutate.AppendLayers(image, l); err != nil {
		return err
	}
	file, err := image.ConfigFile()
	if err != nil {
		return err
	}
	config := file.DeepCopy().Config
	config.Entrypoint = []string{"/opt/java/bin/java", "@/app/java.args"}
	if image, err = mutate.Config(image, config); err != nil {
		return err
	}
	var options []name.Option
	if strings.HasPrefix(fullName, "127.0.0.1") || strings.HasPrefix(fullName, "localhost") || strings.HasPrefix(fullName, "[::1]") {
		options = append(options, name.Insecure)
	}
	reference, err := name.ParseReference(fullName, options...)
	if err != nil {
		return err
	}
	return remote.Write(reference, image, remote.WithAuthFromKeychain(authn.DefaultKeychain))
}

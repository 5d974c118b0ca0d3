package images

import (
	"fmt"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// Save writes an image of the registry as a tar.
func Save(registry, path, file string) error {
	reference, err := name.NewTag(registry+"/"+path, name.Insecure)
	if err != nil {
		return err
	}
	image, err := remote.Image(reference)
	if err != nil {
		return fmt.Errorf("pull %s: %w", path, err)
	}
	return tarball.WriteToFile(file, reference, image)
}

// Load pushes an image from a tar to the registry.
func Load(registry, file, path string) error {
	image, err := tarball.ImageFromPath(file, nil)
	if err != nil {
		return fmt.Errorf("%s: %w; delete it and run the same command again", file, err)
	}
	reference, err := name.NewTag(registry+"/"+path, name.Insecure)
	if err != nil {
		return err
	}
	return remote.Write(reference, image)
}

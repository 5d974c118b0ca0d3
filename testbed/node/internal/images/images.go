// Package images makes container images from files on this machine, without a container engine, and puts them into a registry.
package images

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// Image is what goes into an image: folders and files of this machine in layers, and how it starts.
type Image struct {
	Layers [][]Entry
	Config v1.Config
}

// Entry puts a file or a folder's content at a path in the image; with Link set it is a symbolic link instead, with Content a file of these bytes.
type Entry struct {
	From, At, Link string
	Content        []byte
}

// File times are constant, so that the same content gives the same digest and a push sends nothing twice.
var epoch = time.Unix(1, 0)

// Build makes the image in memory.
func (i Image) Build() (v1.Image, error) {
	image := empty.Image
	for _, entries := range i.Layers {
		content, err := layer(entries)
		if err != nil {
			return nil, err
		}
		// The registry is on this machine: time spent on compressing 140 MB binaries would be lost.
		l, err := tarball.LayerFromOpener(content.open, tarball.WithCompressionLevel(gzip.NoCompression))
		if err != nil {
			return nil, err
		}
		if image, err = mutate.AppendLayers(image, l); err != nil {
			return nil, err
		}
	}
	file, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture, file.Config = "linux", runtime.GOARCH, i.Config // containerd hides images without them
	return mutate.ConfigFile(image, file)
}

// Push builds the image and pushes it to the registry under each path, as "kube-apiserver:v1.36.3".
func (i Image) Push(registry string, paths ...string) error {
	image, err := i.Build()
	if err != nil {
		return err
	}
	for _, path := range paths {
		reference, err := name.NewTag(registry+"/"+path, name.Insecure)
		if err != nil {
			return err
		}
		if err := remote.Write(reference, image); err != nil {
			return fmt.Errorf("push %s: %w", path, err)
		}
	}
	return nil
}

// Write builds the image and writes it as a tar that `docker load`, `ctr images import` and Jib read.
func (i Image) Write(file, tag string) error {
	image, err := i.Build()
	if err != nil {
		return err
	}
	reference, err := name.NewTag(tag)
	if err != nil {
		return err
	}
	return tarball.WriteToFile(file, reference, image)
}

// archive is a layer as a tar.
type archive []byte

func (a archive) open() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(a)), nil }

func layer(entries []Entry) (archive, error) {
	var content bytes.Buffer
	out := tar.NewWriter(&content)
	made := map[string]bool{".": true}
	for _, e := range entries {
		// Docker makes folders that a layer does not name for root alone.
		err := parents(out, inside(e.At), made)
		switch {
		case err != nil:
		case e.Content != nil:
			err = addFile(out, e.Content, e.At)
		case e.Link != "":
			err = out.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: inside(e.At), Linkname: e.Link, Mode: 0o777, ModTime: epoch})
		default:
			err = addTree(out, e.From, e.At)
		}
		if err != nil {
			return nil, err
		}
	}
	// Close writes the end of the last file and of the archive, which strict readers ask for.
	if err := out.Close(); err != nil {
		return nil, err
	}
	return content.Bytes(), nil
}

// parents names the folders above a path, each once.
func parents(out *tar.Writer, at string, made map[string]bool) error {
	folder := filepath.Dir(at)
	if made[folder] {
		return nil
	}
	made[folder] = true
	if err := parents(out, folder, made); err != nil {
		return err
	}
	return out.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: folder, Mode: 0o755, ModTime: epoch})
}

func addFile(out *tar.Writer, content []byte, at string) error {
	err := out.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: inside(at), Size: int64(len(content)), Mode: 0o644, ModTime: epoch})
	if err != nil {
		return err
	}
	_, err = out.Write(content)
	return err
}

func addTree(out *tar.Writer, from, at string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		relative, _ := filepath.Rel(from, path)
		link := ""
		if info.Mode()&os.ModeSymlink != 0 {
			if link, err = os.Readlink(path); err != nil {
				return err
			}
		}
		header, err := tar.FileInfoHeader(info, link)
		if err != nil {
			return err
		}
		header.Name, header.ModTime, header.Mode = inside(filepath.Join(at, relative)), epoch, mode(info.Mode())
		header.Uid, header.Gid, header.Uname, header.Gname = 0, 0, "", ""
		if err := out.WriteHeader(header); err != nil || !info.Mode().IsRegular() {
			return err
		}
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, in)
		return errors.Join(err, in.Close())
	})
}

// mode leaves out what the umask of a build decides.
func mode(of fs.FileMode) int64 {
	switch {
	case of&fs.ModeSymlink != 0, of&fs.ModeSticky != 0 && of.IsDir():
		return map[bool]int64{true: 0o1777, false: 0o777}[of.IsDir()]
	case of.IsDir(), of&0o111 != 0:
		return 0o755
	}
	return 0o644
}

func inside(path string) string { return strings.TrimPrefix(path, "/") }

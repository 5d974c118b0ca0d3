package images

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// UserID is the user that our images run as.
const UserID = 10001

// libraries are what a Java runtime needs of the C library, by the names that its dynamic linker asks for.
var libraries = []string{"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libresolv.so.2", "libnss_files.so.2", "libnss_dns.so.2",
	"libgcc_s.so.1", "libz.so.1"}

// WriteJREBase writes the base image of our Java images as a tar: a jlinked runtime at /opt/java, this host's C library and CA certificates,
// and a user that isn't root.
func WriteJREBase(jre, file string) error {
	root, err := os.MkdirTemp(filepath.Dir(file), "jre-base-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	entries := []Entry{{From: jre, At: "/opt/java"}}
	var ofPackages []string
	add := func(from, at string) {
		entries = append(entries, Entry{From: from, At: at})
		ofPackages = append(ofPackages, from)
	}
	for _, library := range libraries {
		path, err := find(library)
		if err != nil {
			return err
		}
		add(path, "/lib/x86_64-linux-gnu/"+library)
	}
	loader, err := filepath.EvalSymlinks("/lib64/ld-linux-x86-64.so.2")
	if err != nil {
		return fmt.Errorf("the dynamic linker: %w; the base image is made on amd64 with glibc only", err)
	}
	add(loader, "/lib64/ld-linux-x86-64.so.2")
	const certificates = "/etc/ssl/certs/ca-certificates.crt"
	bundle, err := filepath.EvalSymlinks(certificates)
	if err != nil {
		return fmt.Errorf("%w: install the package ca-certificates", err)
	}
	entries = append(entries, Entry{From: bundle, At: certificates})
	// The package's scripts write the bundle, so Debian's database has this one file of the package instead.
	known, err := provenance(jre, append(ofPackages, "/usr/sbin/update-ca-certificates"))
	if err != nil {
		return err
	}
	entries = append(entries, known...)
	entries = append(entries,
		Entry{At: "/etc/group", Content: []byte("root:x:0:\n")},
		Entry{At: "/etc/nsswitch.conf", Content: []byte("passwd: files\ngroup: files\nhosts: files dns\n")},
		Entry{At: "/etc/passwd", Content: fmt.Appendf(nil, "root:x:0:0:root:/:/sbin/nologin\nexaplane:x:%d:0:exaplane:/tmp:/sbin/nologin\n", UserID)})
	temporary := filepath.Join(root, "tmp")
	if err := errors.Join(os.Mkdir(temporary, 0o777), os.Chmod(temporary, os.ModeSticky|0o777)); err != nil {
		return err
	}
	entries = append(entries, Entry{From: temporary, At: "/tmp"})
	image := Image{Layers: [][]Entry{entries}, Config: v1.Config{User: fmt.Sprintf("%d:0", UserID), WorkingDir: "/app",
		Env: []string{"PATH=/opt/java/bin:/usr/bin:/bin", "JAVA_HOME=/opt/java", "LANG=C.UTF-8", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"}}}
	return image.Write(file, "exaplane.io/jre-base:25")
}

func find(library string) (string, error) {
	for _, dir := range []string{"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64"} {
		if path, err := filepath.EvalSymlinks(filepath.Join(dir, library)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is not on this machine; looked in the usual folders: install %s", library, map[bool]string{true: "libgcc-s1, zlib1g", false: "libc6"}[strings.Contains("libgcc_s.so.1 libz.so.1", library)])
}

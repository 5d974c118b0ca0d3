package images

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tree makes a folder with a program and a text in a folder, with these modes.
func tree(t *testing.T, folder, program, text os.FileMode) string {
	t.Helper()
	root := t.TempDir()
	inside := filepath.Join(root, "inside")
	err := errors.Join(os.Mkdir(inside, 0o700), os.WriteFile(filepath.Join(root, "program"), []byte("p"), 0o600), os.WriteFile(filepath.Join(inside, "text"), []byte("t"), 0o600),
		os.Chmod(inside, folder), os.Chmod(root, folder), os.Chmod(filepath.Join(root, "program"), program), os.Chmod(filepath.Join(inside, "text"), text))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestTheUmaskOfABuildIsNotInALayer(t *testing.T) {
	at := func(root string) []Entry { return []Entry{{From: root, At: "/app"}} }
	one, err := layer(at(tree(t, 0o755, 0o755, 0o644)))
	if err != nil {
		t.Fatal(err)
	}
	two, err := layer(at(tree(t, 0o750, 0o710, 0o600)))
	if err != nil || !bytes.Equal(one, two) {
		t.Errorf("two umasks give two layers, %v", err)
	}
	other, err := layer(at(tree(t, 0o755, 0o644, 0o644)))
	if err != nil || bytes.Equal(one, other) {
		t.Errorf("a program that nobody may run is the same layer, %v", err)
	}
}

func TestALayerNamesEachFolderAboveItsFilesOnce(t *testing.T) {
	content, err := layer([]Entry{{At: "/a/b/one", Content: []byte("1")}, {At: "/a/b/two", Content: []byte("2")}, {At: "/a/link", Link: "b"}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for in := tar.NewReader(bytes.NewReader(content)); ; {
		header, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, header.Name)
	}
	if got := strings.Join(names, " "); got != "a a/b a/b/one a/b/two a/link" {
		t.Errorf("got %s", got)
	}
}

// Go's reader takes an archive without an end; tar refuses one.
func TestALayerIsAnArchiveWithAnEnd(t *testing.T) {
	for _, size := range []int{0, 1, 511, 512, 513, 10_240} {
		content, err := layer([]Entry{{At: "/file", Content: make([]byte, size)}})
		if err != nil {
			t.Fatal(err)
		}
		end := make([]byte, 2*512)
		if len(content)%512 != 0 || !bytes.HasSuffix(content, end) {
			t.Errorf("a layer with a file of %d bytes has %d bytes, and no two empty blocks at its end", size, len(content))
		}
		list := exec.Command("tar", "--list")
		list.Stdin = bytes.NewReader(content)
		if out, err := list.CombinedOutput(); err != nil {
			t.Errorf("tar refuses a layer with a file of %d bytes: %v: %s", size, err, out)
		}
	}
}

func TestTheBaseNamesItsParts(t *testing.T) {
	if _, err := exec.LookPath("dpkg-query"); err != nil {
		t.Skip("no database of Debian's packages is on this machine")
	}
	jre := t.TempDir()
	if err := os.WriteFile(filepath.Join(jre, "release"), []byte("IMPLEMENTOR=\"Somebody\"\nJAVA_VERSION=\"25.0.9\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	libc, err := find("libc.so.6")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := provenance(jre, []string{libc, "/usr/sbin/update-ca-certificates"})
	if err != nil {
		t.Fatal(err)
	}
	contents := map[string]string{}
	for _, entry := range entries {
		contents[entry.At] = string(entry.Content)
	}
	for path, want := range map[string]string{
		"/var/lib/dpkg/status.d/libc6": "Package: libc6\n", "/var/lib/dpkg/status.d/ca-certificates": "Version: ", "/etc/os-release": "ID=",
		"/licenses/base.cdx.json": "pkg:deb/debian/libc6@",
	} {
		if !strings.Contains(contents[path], want) {
			t.Errorf("%s lacks %q: %s", path, want, contents[path])
		}
	}
	if !strings.Contains(contents["/licenses/base.cdx.json"], "cpe:2.3:a:oracle:openjdk:25.0.9:") {
		t.Errorf("no Java runtime is in %s", contents["/licenses/base.cdx.json"])
	}
	if _, err := provenance(jre, []string{filepath.Join(jre, "release")}); err == nil || !strings.Contains(err.Error(), "no package of Debian owns") {
		t.Errorf("a file of nobody gave %v", err)
	}
}

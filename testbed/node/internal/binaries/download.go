package binaries

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// ChecksumError says that a downloaded file is not the one its publisher names.
type ChecksumError struct{ URL, Want, Got string }

func (e *ChecksumError) Error() string {
	return fmt.Sprintf("%s: SHA-256 is %s but its publisher names %s; nothing of it was kept: check the mirror, or set EXA_BINARIES=build", e.URL, e.Got, e.Want)
}

// client gives up quickly on a host that can't be reached, and never on a slow download.
var client = &http.Client{Transport: &http.Transport{
	Proxy:                 http.ProxyFromEnvironment,
	DialContext:           (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
	ResponseHeaderTimeout: time.Minute,
}}

func (s Source) downloadKubernetes(version, into string) error {
	for _, c := range Components {
		url := fmt.Sprintf("%s/v%s/bin/linux/%s/%s", s.KubeBaseURL, version, runtime.GOARCH, c)
		want, err := text(url + ".sha256")
		if err != nil {
			return err
		}
		if err := download(url, strings.TrimSpace(want), filepath.Join(into, c)); err != nil {
			return err
		}
	}
	return nil
}

func (s Source) downloadEtcd(version, into string) error {
	archive := fmt.Sprintf("etcd-v%s-linux-%s.tar.gz", version, runtime.GOARCH)
	base := fmt.Sprintf("%s/v%s", s.EtcdBaseURL, version)
	sums, err := text(base + "/SHA256SUMS")
	if err != nil {
		return err
	}
	want := ""
	for line := range strings.Lines(sums) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[1] == archive {
			want = fields[0]
		}
	}
	file := filepath.Join(into, archive)
	if err := download(base+"/"+archive, want, file); err != nil {
		return err
	}
	return errors.Join(untar(file, into, EtcdCommands...), os.Remove(file))
}

func text(url string) (string, error) {
	response, err := client.Get(url)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("GET %s: %s", url, response.Status)
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	return string(content), err
}

func download(url, wantSHA256, file string) error {
	response, err := client.Get(url)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: %s", url, response.Status)
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, sum), response.Body)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != wantSHA256 {
		return errors.Join(&ChecksumError{URL: url, Want: wantSHA256, Got: got}, os.Remove(file))
	}
	return nil
}

// untar takes the named files, wherever they are in the archive, into one folder.
func untar(archive, into string, names ...string) error {
	in, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer in.Close()
	zip, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	missing := len(names)
	for files := tar.NewReader(zip); missing > 0; {
		header, err := files.Next()
		if err != nil {
			return fmt.Errorf("%s: %d of %v not in it: %w", archive, missing, names, err)
		}
		for _, name := range names {
			if header.Typeflag == tar.TypeReg && path.Base(header.Name) == name {
				content, err := io.ReadAll(files)
				if err = errors.Join(err, os.WriteFile(filepath.Join(into, name), content, 0o755)); err != nil {
					return err
				}
				missing--
			}
		}
	}
	return nil
}

package binaries

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// release serves what a release server would, from a map of path to content.
func release(t *testing.T, files map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, found := files[r.URL.Path]
		if !found {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, content)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func sum(content string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(content))) }

func kubernetesRelease(version string) map[string]string {
	files := map[string]string{}
	for _, c := range Components {
		path := fmt.Sprintf("/v%s/bin/linux/%s/%s", version, runtime.GOARCH, c)
		files[path] = "binary of " + c
		files[path+".sha256"] = sum("binary of " + c)
	}
	return files
}

func TestOfficialBinariesAreTakenWithTheirChecksums(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "kube-1.36.3")
	source := Source{Mode: "download", KubeBaseURL: release(t, kubernetesRelease("1.36.3"))}
	how, err := source.Kubernetes("1.36.3", folder)
	if err != nil || how != "downloaded" {
		t.Fatalf("how=%q err=%v", how, err)
	}
	content, err := os.ReadFile(filepath.Join(folder, "kubelet"))
	if err != nil || string(content) != "binary of kubelet" {
		t.Fatalf("kubelet=%q err=%v", content, err)
	}
	if info, _ := os.Stat(filepath.Join(folder, "kubelet")); info.Mode()&0o111 == 0 {
		t.Fatalf("kubelet is not executable: %s", info.Mode())
	}
	if how, _ = source.Kubernetes("1.36.3", folder); how != "cached" {
		t.Fatalf("a second call %s, wanted cached", how)
	}
}

// Two trees share one cache. Neither goes on before both have begun.
func TestTwoMayTakeTheSameVersionAtTheSameTime(t *testing.T) {
	first := fmt.Sprintf("/v1.36.3/bin/linux/%s/%s", runtime.GOARCH, Components[0])
	var both sync.WaitGroup
	both.Add(2)
	files := kubernetesRelease("1.36.3")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == first {
			both.Done()
			both.Wait()
		}
		fmt.Fprint(w, files[r.URL.Path])
	}))
	t.Cleanup(server.Close)
	cache := t.TempDir()
	failures := make(chan error, 2)
	for range 2 {
		go func() {
			_, err := Source{Mode: "download", KubeBaseURL: server.URL}.Kubernetes("1.36.3", filepath.Join(cache, "kube-1.36.3"))
			failures <- err
		}()
	}
	for range 2 {
		if err := <-failures; err != nil {
			t.Error(err)
		}
	}
	for _, c := range Components {
		if content, err := os.ReadFile(filepath.Join(cache, "kube-1.36.3", c)); err != nil || string(content) != "binary of "+c {
			t.Errorf("%s: %q, %v", c, content, err)
		}
	}
	if entries, err := os.ReadDir(cache); err != nil || len(entries) != 1 {
		t.Errorf("the cache has %v, %v", entries, err)
	}
}

func TestAWrongChecksumIsRefusedInEveryModeAndLeavesNothing(t *testing.T) {
	for _, mode := range []string{"auto", "download"} {
		files := kubernetesRelease("1.36.3")
		files[fmt.Sprintf("/v1.36.3/bin/linux/%s/kube-proxy", runtime.GOARCH)] = "tampered"
		folder := filepath.Join(t.TempDir(), "kube-1.36.3")
		_, err := Source{Mode: mode, KubeBaseURL: release(t, files)}.Kubernetes("1.36.3", folder)
		var refused *ChecksumError
		if !errors.As(err, &refused) || refused.Got != sum("tampered") {
			t.Fatalf("mode %s: %v", mode, err)
		}
		if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("mode %s kept %s", mode, folder)
		}
	}
}

func TestEtcdComesOutOfItsArchive(t *testing.T) {
	var archive bytes.Buffer
	zip := gzip.NewWriter(&archive)
	files := tar.NewWriter(zip)
	for _, name := range []string{"README.md", "etcd", "etcdctl", "etcdutl"} {
		_ = files.WriteHeader(&tar.Header{Name: "etcd-v3.6.8-linux/" + name, Mode: 0o755, Size: int64(len(name)), Typeflag: tar.TypeReg})
		_, _ = files.Write([]byte(name))
	}
	_ = errors.Join(files.Close(), zip.Close())
	name := fmt.Sprintf("etcd-v3.6.8-linux-%s.tar.gz", runtime.GOARCH)
	url := release(t, map[string]string{
		"/v3.6.8/" + name:    archive.String(),
		"/v3.6.8/SHA256SUMS": sum("other") + "  other.tar.gz\n" + sum(archive.String()) + "  " + name + "\n",
	})
	folder := filepath.Join(t.TempDir(), "etcd-3.6.8")
	if how, err := (Source{Mode: "download", EtcdBaseURL: url}).Etcd("3.6.8", folder); err != nil || how != "downloaded" {
		t.Fatalf("how=%q err=%v", how, err)
	}
	content, err := os.ReadFile(filepath.Join(folder, "etcdctl"))
	if err != nil || string(content) != "etcdctl" {
		t.Fatalf("etcdctl=%q err=%v", content, err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 3 {
		t.Fatalf("the folder holds %v, wanted etcd, etcdctl and etcdutl only", entries)
	}
}

func TestWhatCannotBeDownloadedIsBuiltAndTheErrorNamesTheWay(t *testing.T) {
	source := Source{Mode: "auto", KubeBaseURL: release(t, nil), ModuleDir: t.TempDir()}
	_, err := source.Kubernetes("1.36.3", filepath.Join(t.TempDir(), "kube"))
	if err == nil || !strings.Contains(err.Error(), "mods/generate") {
		t.Fatalf("wanted the build to be tried and its missing module named, got %v", err)
	}
	if _, err = (Source{Mode: "magic"}).Kubernetes("1.36.3", filepath.Join(t.TempDir(), "kube")); err == nil || !strings.Contains(err.Error(), `EXA_BINARIES="magic"`) {
		t.Fatalf("an unknown mode gave %v", err)
	}
}

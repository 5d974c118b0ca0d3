// Package registry is the local image registry: a plain-HTTP registry on loopback and on the test bed's bridge, nowhere else.
package registry

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"exaplane.io/testbed/node/internal/layout"
	"exaplane.io/testbed/node/internal/machine"
	"exaplane.io/testbed/node/internal/progress"
	"exaplane.io/testbed/node/internal/run"
	"github.com/google/go-containerregistry/pkg/registry"
)

// Address is the registry as seen from this host: what images are pushed to.
var Address = fmt.Sprintf("127.0.0.1:%d", layout.RegistryPort)

// Serve serves until the process is stopped. Blobs are kept in the folder, so that a later run sends none twice; manifests are not.
func Serve(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	handler := registry.New(registry.Logger(log.New(io.Discard, "", 0)), registry.WithBlobHandler(registry.NewDiskBlobHandler(folder)))
	failed := make(chan error)
	for _, address := range []string{Address, layout.RegistryAddress()} {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			return fmt.Errorf("the local image registry needs %s: %w; stop what uses that port", address, err)
		}
		go func() { failed <- (&http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}).Serve(listener) }()
	}
	return <-failed
}

// Temporary serves a registry in memory, on a free port of loopback, until it is stopped.
func Temporary() (address string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: registry.New(registry.Logger(log.New(io.Discard, "", 0))), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	return listener.Addr().String(), func() { _ = server.Close() }, nil
}

// Start starts the registry as a process of the test bed and waits until it answers.
func Start(l layout.Layout) error {
	if err := machine.MakeBridge(); err != nil {
		return err
	}
	processes := run.Processes{Pids: l.Pids(), Logs: l.Logs()}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := processes.Start("registry", nil, filepath.Clean(self), "registry-serve"); err != nil {
		return err
	}
	return progress.Until(2*time.Minute, "the local image registry answering", func() error {
		response, err := http.Get("http://" + Address + "/v2/")
		if err == nil {
			err = response.Body.Close()
		}
		return errors.Join(processes.Alive("registry"), err)
	})
}

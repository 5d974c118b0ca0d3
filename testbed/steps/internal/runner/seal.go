package runner

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"exaplane.io/testbed/steps/internal/plan"
)

// seal makes a tree of a step's declared inputs alone. A step that reads a file that nobody declared fails there.
func (r *Run) seal(s *plan.Step) (string, error) {
	files, err := r.Keys.Declared(r.tree, s)
	if err != nil {
		return "", err
	}
	sealed, err := os.MkdirTemp("", "exaplane-sealed-")
	if err != nil {
		return "", err
	}
	for _, file := range files {
		if err := copyFile(filepath.Join(r.Home, file), filepath.Join(sealed, file)); err != nil {
			return "", err
		}
	}
	return sealed, nil
}

func copyFile(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	}
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, info.Mode().Perm())
	if err != nil {
		return err
	}
	if _, err := io.Copy(target, source); err != nil {
		target.Close()
		return err
	}
	return target.Close()
}

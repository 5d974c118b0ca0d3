package images

import (
	"slices"
	"testing"
)

func TestLoadedAreTheFilesThatLddNames(t *testing.T) {
	got := loaded("\tlinux-vdso.so.1 (0x00007f45)\n\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f45)\n\t/lib64/ld-linux-x86-64.so.2 (0x00007f45)\n")
	want := []string{"/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2"}
	if !slices.Equal(got, want) {
		t.Errorf("loaded: %v, wanted %v", got, want)
	}
}

func TestAProgramThatIsNotThereIsNamed(t *testing.T) {
	if _, err := hostProgram("no-such-program"); err == nil {
		t.Error("a program that is not there gave no error")
	}
}

// Programs share libraries, and a layer that names a file twice is larger than its content.
func TestAFileThatSeveralProgramsLoadIsOnceInTheImage(t *testing.T) {
	made := map[string]bool{}
	got := appendOnce(nil, made, []Entry{{At: "/bin/a"}, {At: "/lib/c"}})
	got = appendOnce(got, made, []Entry{{At: "/bin/b"}, {At: "/lib/c"}})
	var paths []string
	for _, each := range got {
		paths = append(paths, each.At)
	}
	if want := []string{"/bin/a", "/lib/c", "/bin/b"}; !slices.Equal(paths, want) {
		t.Errorf("paths: %v, wanted %v", paths, want)
	}
}

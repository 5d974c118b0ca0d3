package olm

import (
	"os"
	"strings"
	"testing"
)

func TestABundlesImageHasTheLabelsOfItsAnnotations(t *testing.T) {
	const bundle = "../../../../olm-bundle/bundle/"
	dockerfile, err := os.ReadFile(bundle + "bundle.Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	annotations, err := os.ReadFile(bundle + "metadata/annotations.yaml")
	if err != nil {
		t.Fatal(err)
	}
	labels := labelsOf(string(dockerfile))
	if labels["operators.operatorframework.io.bundle.package.v1"] != "exaplane" {
		t.Errorf("labels %v", labels)
	}
	for name, value := range labels {
		if line := name + ": "; !strings.Contains(string(annotations), line+value) && !strings.Contains(string(annotations), line+`"`+value+`"`) {
			t.Errorf("the annotations have no %s%s", line, value)
		}
	}
}

func TestABundleWithoutLabelsIsNamed(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(folder+"/bundle.Dockerfile", []byte("FROM scratch\nLABEL\nCOPY manifests /manifests/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := PushBundle("127.0.0.1:1", folder, "exaplane/bundle:1"); err == nil || !strings.Contains(err.Error(), folder) {
		t.Errorf("said %v", err)
	}
}

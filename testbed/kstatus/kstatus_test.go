// SPDX-License-Identifier: Apache-2.0

package kstatus

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

// sample is an object in one phase, as a test of the operator wrote it, and what that test expects of the library.
type sample struct {
	Phase   string                     `json:"phase"`
	Verdict status.Status              `json:"verdict"`
	Object  *unstructured.Unstructured `json:"object"`
}

func samples(t *testing.T, kind string) []sample {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", strings.ToLower(kind)+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []sample
	for lines := json.NewDecoder(file); lines.More(); {
		var one sample
		if err := lines.Decode(&one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

func verdict(t *testing.T, object *unstructured.Unstructured) status.Status {
	t.Helper()
	result, err := status.Compute(object)
	if err != nil {
		t.Fatal(err)
	}
	return result.Status
}

// TestEachPhase gives the real library each phase of each Kind: as it is, with a spec that nobody looked at, and while it is deleted.
func TestEachPhase(t *testing.T) {
	for _, kind := range []string{"ControlPlane", "StoreShard", "SchedulerPool", "NodePool"} {
		seen := map[status.Status]int{}
		for _, each := range samples(t, kind) {
			t.Run(kind+" "+each.Phase, func(t *testing.T) {
				if got := each.Object.GetKind(); got != kind {
					t.Fatalf("the file has a %s", got)
				}
				if got := verdict(t, each.Object); got != each.Verdict {
					t.Errorf("%s, expected %s", got, each.Verdict)
				}
				later := each.Object.DeepCopy()
				later.SetGeneration(each.Object.GetGeneration() + 1)
				if got := verdict(t, later); got != status.InProgressStatus {
					t.Errorf("%s with a new spec", got)
				}
				leaving := each.Object.DeepCopy()
				leaving.Object["metadata"].(map[string]any)["deletionTimestamp"] = "2026-11-29T00:00:00Z"
				if got := verdict(t, leaving); got != status.TerminatingStatus {
					t.Errorf("%s while it is deleted", got)
				}
			})
			seen[each.Verdict]++
		}
		for _, must := range []status.Status{status.CurrentStatus, status.InProgressStatus, status.FailedStatus} {
			if seen[must] == 0 {
				t.Errorf("no phase of a %s is %s", kind, must)
			}
		}
	}
}

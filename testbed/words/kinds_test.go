// SPDX-License-Identifier: Apache-2.0
package main

import (
	"strings"
	"testing"
)

// Each kind with a sentence that the product had, and the one that it has now.
var ofStrings = []struct{ bad, problem, good string }{
	{"The plural name of the resource, as pods.", "for example'", "The plural name of the resource, for example pods."},
	{"must be a number with s, m or h, as 90s; correct the time", "for example'", "must be a number with s, m or h, for example 90s; correct the time"},
	{"Shows the decisions of this time, as 30m or 24h (default: 1h).", "for example'", "Refuses clients without a certificate, as before."},
	{"Set a value if packets pass a tunnel, as 1420 for WireGuard.", "for example'", "Restarts of its containers, as the kubelet counts them."},
	{"is %s; write inputs by name, as 'nodes: 5000'", "for example'", "JSON or YAML, as 'kubectl get -o json' writes them."},
	{"create the Secret, as by 'kubectl create secret x'", "for example with'", "create the Secret, for example with 'kubectl create secret x'"},
	{"Get a new token, as with 'kubectl create token x'.", "for example with'", "Get a new token, for example with 'kubectl create token x'."},
	{"the file is of another store: it names the cluster", "'belongs to'", "the file belongs to another store: it names the cluster"},
	{"add-ons of %s are followed no more", "'no longer'", "The operator deletes no more than %d nodes."},
	{"an address that the API has no more, see EndpointReady", "'no longer'", "an address that the API no longer has; see EndpointReady"},
	{"blocked; who set the finalizer has to remove it", "imperative", "Check the controller that owns this finalizer; it must remove it"},
	{"Wait; if the message stays, report the fault.", "if this persists", "If this persists for 5 minutes, report the fault."},
	{"no protobuf: it ends too soon", "is incomplete", "no protobuf: the message is incomplete"},
	{"To remove this remark: run the command.", "'message'", "To clear this message, run the command."},
	{"The API is down, so nobody sees the nodes.", "who:", "The API is down, so the state of the nodes is unknown."},
	{"The operator does not look at nodes, since it is paused.", "'check'", "The operator does not check nodes, since it is paused."},
	{"Number of good looks in a row before it thaws.", "'check'", "Number of good checks in a row before it thaws."},
	{"Do what these words say, then create the task again.", "'message'", "Do what this message says, then create the task again."},
	{"It ends when a pass of the control plane has taken it over.", "'reconciliation'", "The control plane is adopting the routes of the task."},
	{"Check these nodes. The upgrade goes on by itself.", "'continue'", "Check these nodes. The upgrade then continues automatically."},
}

func TestEachKindIsFoundInPrograms(t *testing.T) {
	for _, sample := range ofStrings {
		found := checkJava("A.java", `class A { String a = "`+sample.bad+`"; }`)
		if len(found) != 1 || !strings.Contains(found[0].problem, sample.problem) {
			t.Errorf("%s is not the only finding in %q: %v", sample.problem, sample.bad, found)
		}
		if found := checkJava("A.java", `class A { String a = "`+sample.good+`"; }`); len(found) > 0 {
			t.Errorf("%q: %v", sample.good, found)
		}
	}
}

// Pages for users have the kinds, and not the words of sources: a person may look at a picture. Pages for developers have neither.
func TestPagesForUsersAreHeldToTheKinds(t *testing.T) {
	for _, sample := range []struct {
		file, content string
		findings      int
	}{
		{"docs/a.md", "The network, as `fd00::/48`.\n", 1},
		{"docs/a.md", "| a |\n|---|\n| The network, as `fd00::/48`. |\n", 1},
		{"docs/a.md", "Look at the page of targets.\n", 0},
		{"operator/DESIGN.md", "The network, as `fd00::/48`.\n", 0},
	} {
		if found := checkMarkdown(sample.file, sample.content); len(found) != sample.findings {
			t.Errorf("%d findings, want %d: %s %q %v", len(found), sample.findings, sample.file, sample.content, found)
		}
	}
}

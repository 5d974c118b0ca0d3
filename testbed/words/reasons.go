// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"regexp"
	"strings"
)

const (
	api       = "crds/src/main/java/io/exaplane/api/v1alpha1/"
	reference = "docs/conditions.md"
	good      = "AsExpected"
)

// Enums whose constants are the types of conditions.
var conditionEnums = []string{"ConditionType", "NodePoolCondition", "PoolCondition", "StoreCondition", "TaskCondition"}

var (
	comment  = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	body     = regexp.MustCompile(`(?s)\benum\s+\w+[^{]*\{(.*)`)
	constant = regexp.MustCompile(`^\s*(?:@\w+(?:\([^)]*\))?\s*)*([A-Z]\w*)\s*(?:\([^)]*\))?\s*$`)
	span     = regexp.MustCompile("`([^`]+)`")
	// A word such as StoreDataLost, and no sentence, path, flag or command.
	camel = regexp.MustCompile(`^[A-Z]+[a-z]+(?:[A-Z]+[a-z]*)+$`)
	asked = regexp.MustCompile(`type=="([A-Za-z]+)"|--for=condition=([A-Za-z]+)`)
)

// constants returns the constants of a Java enum, in their order.
func constants(source string) []string {
	match := body.FindStringSubmatch(comment.ReplaceAllString(source, ""))
	if match == nil {
		return nil
	}
	list, _, _ := strings.Cut(match[1], ";")
	list, _, _ = strings.Cut(list, "}")
	var found []string
	for _, each := range strings.Split(list, ",") {
		if name := constant.FindStringSubmatch(each); name != nil {
			found = append(found, name[1])
		}
	}
	return found
}

// A vocabulary is what pages may call by name.
type vocabulary struct {
	reasons    []string
	conditions []string
	others     map[string]bool // names of the API's types and of its enums' constants, and of Kubernetes
}

// words reads the API's sources.
func words(files map[string]string) vocabulary {
	v := vocabulary{others: map[string]bool{}}
	for file, content := range files {
		if !strings.HasPrefix(file, api) || !strings.HasSuffix(file, ".java") {
			continue
		}
		name := strings.TrimSuffix(strings.TrimPrefix(file, api), ".java")
		if name == "Reason" {
			v.reasons = constants(content)
			continue
		}
		if isConditionEnum(name) {
			v.conditions = append(v.conditions, constants(content)...)
			continue
		}
		v.others[name] = true
		for _, each := range constants(content) {
			v.others[each] = true
		}
	}
	for _, each := range ofKubernetes {
		v.others[each] = true
	}
	return v
}

func isConditionEnum(name string) bool {
	for _, each := range conditionEnums {
		if each == name {
			return true
		}
	}
	return false
}

// Words of Kubernetes and of other programs that pages for users name.
var ofKubernetes = []string{"ConfigMap", "StorageClass", "ResourceExhausted", "FailedScheduling", "CrashLoopBackOff", "OnDelete", "OnLink", "Routed"}

// isForUsers tells whether a page is one that users read in an incident or before.
func isForUsers(file string) bool {
	return file == "README.md" || strings.HasPrefix(file, "docs/") && strings.HasSuffix(file, ".md") && !strings.HasPrefix(file, records) && file != "docs/style.md"
}

// isRunbook tells whether a page tells what to do: the table of reasons is none, nor is a page that is generated from the types.
func isRunbook(file string) bool {
	return isForUsers(file) && strings.HasPrefix(file, "docs/") && file != reference && file != "docs/README.md" && !strings.HasPrefix(file, "docs/reference/")
}

// checkReasons compares the pages with the API: each reason that is not good is in a runbook and in the table, whose links lead to a page that has the reason; each condition
// is in the reference; and no page names one that does not exist.
func checkReasons(files map[string]string) []finding {
	v := words(files)
	known := map[string]bool{}
	for _, each := range append(append([]string{}, v.reasons...), v.conditions...) {
		known[each] = true
	}
	var found []finding
	runbooks := map[string]bool{}
	for file, content := range files {
		if !isForUsers(file) {
			continue
		}
		for i, line := range strings.Split(content, "\n") {
			for _, match := range span.FindAllStringSubmatch(line, -1) {
				runbooks[match[1]] = runbooks[match[1]] || isRunbook(file)
			}
			for _, name := range namesIn(line) {
				if !known[name] && !v.others[name] {
					found = append(found, finding{file, i + 1, fmt.Sprintf("%s is no condition, reason or type of the API; correct the name, or add a word of Kubernetes to ofKubernetes", name)})
				}
			}
		}
	}
	table := map[string]bool{}
	for i, line := range strings.Split(files[reference], "\n") {
		row := strings.Split(strings.Trim(line, "| "), "|")
		if name := span.FindStringSubmatch(row[0]); name != nil && len(row) == 3 {
			table[name[1]] = true
			for _, one := range linksOf(reference, row[2]) {
				page, _, _ := strings.Cut(one.target, "#")
				if !strings.Contains(files["docs/"+page], "`"+name[1]+"`") {
					found = append(found, finding{reference, i + 1, fmt.Sprintf("%s is not on the page %s", name[1], page)})
				}
			}
		}
	}
	for _, reason := range v.reasons {
		if reason == good {
			continue
		}
		if !runbooks[reason] {
			found = append(found, finding{api + "Reason.java", 0, fmt.Sprintf("%s is in no page of docs; write symptom, cause and commands", reason)})
		}
		if !table[reason] {
			found = append(found, finding{reference, 0, fmt.Sprintf("%s is missing in the table of reasons", reason)})
		}
	}
	for _, condition := range v.conditions {
		if !strings.Contains(files[reference], "`"+condition+"`") {
			found = append(found, finding{reference, 0, fmt.Sprintf("condition %s is missing", condition)})
		}
	}
	return found
}

// namesIn returns the names in a line that are to be conditions, reasons or types: words in code, and conditions in commands.
func namesIn(line string) []string {
	var found []string
	for _, match := range span.FindAllStringSubmatch(line, -1) {
		if camel.MatchString(match[1]) {
			found = append(found, match[1])
		}
	}
	for _, match := range asked.FindAllStringSubmatch(line, -1) {
		found = append(found, match[1]+match[2])
	}
	return found
}

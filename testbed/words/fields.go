// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"regexp"
	"strings"
)

const definitions = "crds/generated/"

var (
	property = regexp.MustCompile(`(?m)^\s+"?([a-zA-Z]\w*)"?:\s*$`)
	field    = regexp.MustCompile(`(?:spec|status)(?:\.[a-z]\w*)+`)
	// Parts of other objects, and of paths in Kubernetes' own API.
	foreign = []string{"status.loadBalancer", "status.disruptionsAllowed", "spec.unschedulable"}
)

// checkFields finds fields in code of pages for users, as spec.storage.stores, of which a part is no property of any CustomResourceDefinition.
func checkFields(files map[string]string) []finding {
	properties := map[string]bool{"spec": true, "status": true}
	for file, content := range files {
		if strings.HasPrefix(file, definitions) {
			for _, match := range property.FindAllStringSubmatch(content, -1) {
				properties[match[1]] = true
			}
		}
	}
	var found []finding
	for file, content := range files {
		if !isForUsers(file) {
			continue
		}
		for i, line := range strings.Split(content, "\n") {
			for _, match := range span.FindAllStringSubmatch(line, -1) {
				for _, path := range field.FindAllString(match[1], -1) {
					for _, part := range strings.Split(path, ".") {
						if !properties[part] && !isForeign(path) {
							found = append(found, finding{file, i + 1, fmt.Sprintf("%s: the API has no field %s", path, part)})
						}
					}
				}
			}
		}
	}
	return found
}

func isForeign(path string) bool {
	for _, each := range foreign {
		if strings.HasPrefix(path, each) {
			return true
		}
	}
	return false
}

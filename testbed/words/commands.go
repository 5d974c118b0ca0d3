// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	ofExa = regexp.MustCompile(`\./exa ([a-z]+)((?:[^\n#` + "`" + `'|]|'[^']*')*)`)
	// In exa's help, commands begin a line, alone or after ' | '.
	offered = regexp.MustCompile(`(?m)^  ([a-z]+)|\| ([a-z]+) `)
	option  = regexp.MustCompile(`(?:^|\s)(--[a-z][a-z-]+)`)
	quoted  = regexp.MustCompile(`"(--[a-z][a-z-]+)`)
	// The model's inputs become options of tune and plan under their names.
	input = regexp.MustCompile(`"([a-z][a-z-]+)"`)
)

// Commands that take the options of programs in Java; the options of the others are the launcher's or kubectl's.
var withOptions = map[string][]string{
	"tune": {"cli/", "tuning/"}, "plan": {"cli/", "tuning/"}, "alerts": {"cli/"}, "dashboards": {"cli/"}, "monitors": {"cli/"}, "addr": {"cli/", "tuning/"}, "lists": {"cli/"}, "crds": {"cli/"}, "simulate": {"cli/"}, "trace": {"cli/"}, "pool": {"cli/"},
	"store": {"cli/", "controlplane-store/"}, "scheduler": {"dist-scheduler/app/"},
}

// checkCommands finds commands of ./exa in pages for users that the launcher does not offer, and options that the program behind a command does not have.
func checkCommands(files map[string]string) []finding {
	commands := map[string]bool{"help": true}
	_, help, _ := strings.Cut(files["exa"], "Usage: ./exa")
	help, _, _ = strings.Cut(help, "\nTEXT\n")
	for _, match := range offered.FindAllStringSubmatch(help, -1) {
		commands[match[1]+match[2]] = true
	}
	options := map[string]map[string]bool{} // by folder of a module
	for file, content := range files {
		for _, folder := range []string{"cli/", "tuning/", "controlplane-store/", "dist-scheduler/app/"} {
			if !strings.HasPrefix(file, folder) || !strings.HasSuffix(file, ".java") {
				continue
			}
			if options[folder] == nil {
				options[folder] = map[string]bool{"--help": true}
			}
			for _, match := range quoted.FindAllStringSubmatch(content, -1) {
				options[folder][match[1]] = true
			}
			if folder == "tuning/" {
				for _, match := range input.FindAllStringSubmatch(content, -1) {
					options[folder]["--"+match[1]] = true
				}
			}
		}
	}
	var found []finding
	for file, content := range files {
		if !isForUsers(file) && file != "CONTRIBUTING.md" {
			continue
		}
		for i, line := range strings.Split(content, "\n") {
			for _, match := range ofExa.FindAllStringSubmatch(line, -1) {
				if !commands[match[1]] {
					found = append(found, finding{file, i + 1, fmt.Sprintf("'./exa %s' does not exist", match[1])})
				}
				for _, each := range option.FindAllStringSubmatch(match[2], -1) {
					if folders := withOptions[match[1]]; folders != nil && !anyHas(options, folders, each[1]) {
						found = append(found, finding{file, i + 1, fmt.Sprintf("'./exa %s' has no option %s", match[1], each[1])})
					}
				}
			}
		}
	}
	return found
}

func anyHas(options map[string]map[string]bool, folders []string, option string) bool {
	for _, folder := range folders {
		if options[folder][option] {
			return true
		}
	}
	return false
}

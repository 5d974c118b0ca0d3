// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"os"
	"strings"
)

// Prints the findings: 'go run . [PATH-PREFIX…]'.
func main() {
	found, err := read("../..")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	for _, one := range found {
		if len(os.Args) == 1 || matches(one.file, os.Args[1:]) {
			fmt.Println(one)
		}
	}
}

func matches(file string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(file, prefix) {
			return true
		}
	}
	return false
}

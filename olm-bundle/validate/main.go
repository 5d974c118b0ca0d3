// Command validate judges an OLM bundle as operator-framework's own tools do: validate BUNDLE_FOLDER. It fails on errors and prints warnings.
package main

import (
	"fmt"
	"os"

	"github.com/operator-framework/api/pkg/manifests"
	"github.com/operator-framework/api/pkg/validation"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: validate BUNDLE_FOLDER")
		os.Exit(2)
	}
	bundle, err := manifests.GetBundleFromDir(os.Args[1])
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %s is not a bundle: %v\n", os.Args[1], err)
		os.Exit(1)
	}
	objects := []any{bundle, bundle.CSV}
	for _, crd := range bundle.V1CRDs {
		objects = append(objects, crd)
	}
	failed := false
	for _, result := range validation.AllValidators.Validate(objects...) {
		for _, warning := range result.Warnings {
			fmt.Printf("warning: %s: %s\n", result.Name, warning.Error())
		}
		for _, problem := range result.Errors {
			fmt.Printf("error: %s: %s\n", result.Name, problem.Error())
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

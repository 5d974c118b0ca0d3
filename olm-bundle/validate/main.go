// Command validate judges an OLM bundle and a file-based catalog as operator-framework's own tools do: validate BUNDLE_FOLDER CATALOG_FOLDER. It fails on
// errors and on warnings.
package main

import (
	"context"
	"fmt"
	"os"
	"regexp"

	"github.com/operator-framework/api/pkg/manifests"
	"github.com/operator-framework/api/pkg/validation"
	interfaces "github.com/operator-framework/api/pkg/validation/interfaces"
	"github.com/operator-framework/operator-registry/alpha/declcfg"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: validate BUNDLE_FOLDER CATALOG_FOLDER")
		os.Exit(2)
	}
	findings := append(judgeBundle(os.Args[1]), judgeCatalog(os.Args[2])...)
	for _, finding := range findings {
		fmt.Println(finding)
	}
	if len(findings) > 0 {
		os.Exit(1)
	}
}

// Not asked are validators that pull images or are deprecated.
var validators = interfaces.Validators{
	validation.ClusterServiceVersionValidator,
	validation.CustomResourceDefinitionValidator,
	validation.BundleValidator,
	validation.OperatorHubV2Validator,
	validation.StandardCategoriesValidator,
	validation.StandardCapabilitiesValidator,
	validation.ObjectValidator,
	validation.OperatorGroupValidator,
	validation.GoodPracticesValidator,
}

// Warnings that are wrong: this validator reads the right to PodDisruptionBudgets, which has no version, as a use of policy/v1beta1.
var wrong = regexp.MustCompile(`Migrate the API\(s\) for poddisruptionbudgets: \(\["[A-Za-z.]+ClusterPermissions\[0\]\.Rules\[\d+\]"\]\)$`)

// judgeBundle asks every validator for its findings.
func judgeBundle(folder string) []string {
	bundle, err := manifests.GetBundleFromDir(folder)
	if err != nil {
		return []string{fmt.Sprintf("error: %s is not a bundle: %v", folder, err)}
	}
	objects := []any{bundle, bundle.CSV}
	for _, crd := range bundle.V1CRDs {
		objects = append(objects, crd)
	}
	for _, object := range bundle.Objects {
		objects = append(objects, object)
	}
	var findings []string
	for _, result := range validators.Validate(objects...) {
		for _, warning := range result.Warnings {
			if !wrong.MatchString(warning.Error()) {
				findings = append(findings, fmt.Sprintf("warning: %s: %s", result.Name, warning.Error()))
			}
		}
		for _, problem := range result.Errors {
			findings = append(findings, fmt.Sprintf("error: %s: %s", result.Name, problem.Error()))
		}
	}
	return findings
}

// judgeCatalog reads a catalog as opm does before it serves one.
func judgeCatalog(folder string) []string {
	catalog, err := declcfg.LoadFS(context.Background(), os.DirFS(folder))
	if err != nil {
		return []string{fmt.Sprintf("error: %s is not a catalog: %v", folder, err)}
	}
	if _, err := declcfg.ConvertToModel(*catalog); err != nil {
		return []string{fmt.Sprintf("error: %s: %v", folder, err)}
	}
	if len(catalog.Packages) == 0 || len(catalog.Bundles) == 0 {
		return []string{fmt.Sprintf("error: %s has no package or no bundle", folder)}
	}
	return nil
}

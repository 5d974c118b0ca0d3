// SPDX-License-Identifier: Apache-2.0

// Metrics prints the metrics that the sources of Kubernetes modules define, with their labels, as JSON. It reads them as Kubernetes' own test/instrumentation does,
// whose list is not in every released module:
//
//	metrics FOLDER…
//
// A metric is a composite literal of a type that ends in Opts, as the first argument of a call whose name begins with New; its labels are the second one. A metric
// with labels that no literal gives is left out: nothing may rest on it.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

type metric struct {
	Type   string `json:"type"`
	Labels string `json:"labels"`
}

var (
	constructor = regexp.MustCompile(`^New(TimingHistogram|Histogram|Summary|Counter|Gauge|Desc)(Vec)?`)
	kinds       = map[string]string{"TimingHistogram": "histogram", "Histogram": "histogram", "Summary": "summary", "Counter": "counter", "Gauge": "gauge", "Desc": "gauge"}
)

func main() {
	found := map[string]metric{}
	for _, folder := range os.Args[1:] {
		if err := walk(folder, found); err != nil {
			fmt.Fprintln(os.Stderr, "metrics:", err)
			os.Exit(1)
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(found); err != nil {
		fmt.Fprintln(os.Stderr, "metrics:", err)
		os.Exit(1)
	}
}

// walk reads each package below a folder: constants of a package stand in any of its files.
func walk(folder string, found map[string]metric) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if name := entry.Name(); name == "testdata" || name == "vendor" || name == "test" || name == "third_party" {
			return fs.SkipDir
		}
		return read(path, found)
	})
}

func read(folder string, found map[string]metric) error {
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	p := pack{values: map[string]ast.Expr{}}
	for _, file := range files {
		p.collect(file)
	}
	for _, file := range files {
		ast.Inspect(file, func(node ast.Node) bool {
			if call, ok := node.(*ast.CallExpr); ok {
				p.define(call, found)
			}
			return true
		})
	}
	return nil
}

// pack has the constants and variables of a package.
type pack struct{ values map[string]ast.Expr }

func (p pack) collect(file *ast.File) {
	for _, declaration := range file.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			if value, ok := spec.(*ast.ValueSpec); ok && len(value.Values) == len(value.Names) {
				for i, name := range value.Names {
					p.values[name.Name] = value.Values[i]
				}
			}
		}
	}
}

func (p pack) define(call *ast.CallExpr, found map[string]metric) {
	kind := constructor.FindStringSubmatch(calledName(call.Fun))
	if kind == nil || len(call.Args) == 0 {
		return
	}
	var name string
	known := true
	labels := []string{}
	if kind[1] == "Desc" {
		name = p.text(call.Args[0])
		if len(call.Args) > 2 {
			labels, known = p.texts(call.Args[2])
		}
	} else {
		options := literal(call.Args[0])
		if options == nil || !strings.HasSuffix(calledName(options.Type), "Opts") {
			return
		}
		name = p.fullName(options)
		if kind[2] != "" && len(call.Args) > 1 {
			labels, known = p.texts(call.Args[len(call.Args)-1])
		}
	}
	if name == "" || !known {
		return
	}
	slices.Sort(labels)
	found[name] = metric{kinds[kind[1]], strings.Join(labels, " ")}
}

func (p pack) fullName(options *ast.CompositeLit) string {
	parts := map[string]string{}
	for _, element := range options.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			parts[calledName(pair.Key)] = p.text(pair.Value)
		}
	}
	return joined(parts["Namespace"], parts["Subsystem"], parts["Name"])
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "_")
}

// literal is the composite literal of an expression, also behind '&'.
func literal(expression ast.Expr) *ast.CompositeLit {
	if address, ok := expression.(*ast.UnaryExpr); ok {
		expression = address.X
	}
	found, _ := expression.(*ast.CompositeLit)
	return found
}

func calledName(expression ast.Expr) string {
	switch e := expression.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// text is the value of a string; "" if no literal of the package gives it. Constants of other packages have their last name looked up here, too: Kubernetes names them alike.
func (p pack) text(expression ast.Expr) string {
	switch e := expression.(type) {
	case *ast.BasicLit:
		value, err := strconv.Unquote(e.Value)
		if err == nil && e.Kind == token.STRING {
			return value
		}
	case *ast.Ident:
		if value, ok := p.values[e.Name]; ok && value != expression {
			return p.text(value)
		}
	case *ast.SelectorExpr:
		return elsewhere[e.Sel.Name]
	case *ast.BinaryExpr:
		return p.text(e.X) + p.text(e.Y)
	case *ast.CallExpr:
		if calledName(e.Fun) == "BuildFQName" && len(e.Args) == 3 {
			return joined(p.text(e.Args[0]), p.text(e.Args[1]), p.text(e.Args[2]))
		}
	}
	return ""
}

// Strings that other packages hold for several.
var elsewhere = map[string]string{"APIServerComponent": "apiserver", "SchedulerSubsystem": "scheduler"}

func (p pack) texts(expression ast.Expr) ([]string, bool) {
	if ident, ok := expression.(*ast.Ident); ok {
		if ident.Name == "nil" {
			return nil, true
		}
		if value, ok := p.values[ident.Name]; ok {
			return p.texts(value)
		}
	}
	list := literal(expression)
	if list == nil {
		return nil, false
	}
	var all []string
	for _, element := range list.Elts {
		value := p.text(element)
		if value == "" {
			return nil, false
		}
		all = append(all, value)
	}
	return all, true
}

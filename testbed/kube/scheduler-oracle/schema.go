package main

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// schemaOf writes a schema of Kubernetes' binary encoding, as the engine has it, with the numbers and types that this version's API types have. Of the
// schema on the input only the names count: "kind VERSION KIND", and "TYPE FIELD…". What this version does not have is left out.
func schemaOf(in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	types := typesOf(lines)
	for _, line := range lines {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#" || words[0] == "kind" && types[words[2]] != nil:
			fmt.Fprintln(out, line)
		case types[words[0]] != nil:
			fmt.Fprint(out, words[0])
			_, version, _ := strings.Cut(words[0], "@")
			for _, word := range words[1:] {
				if field := fieldOf(types[words[0]], strings.SplitN(word, ":", 2)[0], version); field != "" {
					fmt.Fprint(out, " ", field)
				}
			}
			fmt.Fprintln(out)
		}
	}
	return nil
}

// typesOf returns the types of the kinds and all that are in them, by their names; of several with one name, the kind counts. A kind with "@" and a version
// behind its name is an older one: its types have that behind their names, too.
func typesOf(lines []string) map[string]reflect.Type {
	types := map[string]reflect.Type{}
	type root struct {
		of      reflect.Type
		version string
	}
	var roots []root
	for _, line := range lines {
		if words := strings.Fields(line); len(words) == 3 && words[0] == "kind" {
			kind, version, _ := strings.Cut(words[2], "@")
			if object, err := scheme.Scheme.New(schema.FromAPIVersionAndKind(words[1], kind)); err == nil {
				of := reflect.TypeOf(object).Elem()
				roots, types[words[2]] = append(roots, root{of, version}), of
			}
		}
	}
	for _, root := range roots {
		addFields(root.of, root.version, types)
	}
	return types
}

// nameOf is a type's name, with the version behind it if the type belongs to that one.
func nameOf(t reflect.Type, version string) string {
	if version != "" && strings.HasSuffix(t.PkgPath(), "/"+version) {
		return t.Name() + "@" + version
	}
	return t.Name()
}

func addTypes(t reflect.Type, version string, to map[string]reflect.Type) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct && to[nameOf(t, version)] == nil {
		to[nameOf(t, version)] = t
		addFields(t, version, to)
	}
}

func addFields(t reflect.Type, version string, to map[string]reflect.Type) {
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("protobuf") != "" {
			addTypes(t.Field(i).Type, version, to)
		}
	}
}

// fieldOf returns NAME:NUMBER:TYPE. A type has "[]" or "map:" before it, "=" if its fields are those of the message around it in JSON, and "?" behind it
// if a value that is there can be zero or empty.
func fieldOf(t reflect.Type, name, version string) string {
	for i := range t.NumField() {
		field := t.Field(i)
		json := strings.Split(field.Tag.Get("json"), ",")
		protobuf := strings.Split(field.Tag.Get("protobuf"), ",")
		if len(protobuf) < 2 || json[0] != name && !slices.Contains(protobuf, "name="+name) {
			continue
		}
		kind := typeOf(field.Type, version)
		if json[0] == "" {
			return fmt.Sprintf("%s:%s:=%s", name, protobuf[1], kind)
		}
		return fmt.Sprintf("%s:%s:%s", json[0], protobuf[1], kind)
	}
	return ""
}

func typeOf(t reflect.Type, version string) string {
	switch t {
	case reflect.TypeFor[metav1.Time](), reflect.TypeFor[*metav1.Time]():
		return "time"
	case reflect.TypeFor[resource.Quantity](), reflect.TypeFor[*resource.Quantity]():
		return "quantity"
	}
	switch t.Kind() {
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct {
			return typeOf(t.Elem(), version)
		}
		return typeOf(t.Elem(), version) + "?"
	case reflect.Slice:
		return "[]" + typeOf(t.Elem(), version)
	case reflect.Map:
		return "map:" + typeOf(t.Elem(), version)
	case reflect.Struct:
		return nameOf(t, version)
	case reflect.Int32, reflect.Int64:
		return "integer"
	}
	return t.Kind().String()
}

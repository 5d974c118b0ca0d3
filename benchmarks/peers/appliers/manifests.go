package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const namespace = "bench"

// Objects a file: nobody has ten thousand in one.
const ofFile = 1000

// write makes a namespace and objects of six kinds in it; those are what add-ons consist of. A word changes the first ConfigMap.
func write(folder string, objects int, word string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for file := 0; file*ofFile < objects; file++ {
		var text strings.Builder
		for at := file * ofFile; at < min(objects, (file+1)*ofFile); at++ {
			if at == 0 {
				fmt.Fprintf(&text, "apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n", namespace)
			} else {
				text.WriteString("---\n" + object(at-1, word))
			}
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("part-%03d.yaml", file)), []byte(text.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func object(at int, word string) string {
	head := func(version, kind string) string {
		return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata:\n  name: o%05d\n  namespace: %s\n  labels: {app: bench}\n", version, kind, at, namespace)
	}
	switch at % 10 {
	case 0, 1, 2, 3:
		value := "as it was"
		if at == 0 && word != "" {
			value = word
		}
		return head("v1", "ConfigMap") + fmt.Sprintf("data:\n  a: %s\n  text: |\n%s", value, strings.Repeat("    some words of a configuration file\n", 25))
	case 4, 5:
		return head("apps/v1", "Deployment") + fmt.Sprintf(`spec:
  replicas: 1
  selector: {matchLabels: {o: "%d"}}
  template:
    metadata: {labels: {o: "%d"}}
    spec:
      containers:
      - name: main
        image: registry.example.com/a/b:1
        args: [--one, --two=2]
        resources: {requests: {cpu: 10m, memory: 16Mi}}
`, at, at)
	case 6:
		return head("v1", "Service") + fmt.Sprintf("spec:\n  selector: {o: \"%d\"}\n  ports:\n  - {name: http, port: 80, protocol: TCP, targetPort: 8080}\n", at)
	case 7:
		return head("v1", "ServiceAccount")
	case 8:
		return head("rbac.authorization.k8s.io/v1", "Role") + "rules:\n- {apiGroups: [\"\"], resources: [pods], verbs: [get, list]}\n"
	default:
		return head("rbac.authorization.k8s.io/v1", "RoleBinding") +
			fmt.Sprintf("roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: o%05d}\nsubjects:\n- {kind: ServiceAccount, name: o%05d, namespace: %s}\n", at-1, at-2, namespace)
	}
}

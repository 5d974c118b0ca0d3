// Command etcdutl reads and writes etcd's files, linked from its Go module.
package main

import (
	"os"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/etcdutl/v3/etcdutl"
)

func main() {
	root := &cobra.Command{Use: "etcdutl"}
	root.PersistentFlags().StringVarP(&etcdutl.OutputFormat, "write-out", "w", "simple", "output format (fields, json, simple, table)")
	root.AddCommand(etcdutl.NewSnapshotCommand())
	if root.Execute() != nil {
		os.Exit(1)
	}
}

package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

// binaryOf writes objects as an API server does for who accepts application/vnd.kubernetes.protobuf, a line of base64 each; the line of one that this
// version does not know is empty.
func binaryOf(in io.Reader, out io.Writer) error {
	encoder := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	lines := bufio.NewReaderSize(in, 1<<20)
	writer := bufio.NewWriter(out)
	defer writer.Flush()
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		object, kind, err := scheme.Codecs.UniversalDeserializer().Decode(line, nil, nil)
		if runtime.IsNotRegisteredError(err) {
			fmt.Fprintln(writer)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		object.GetObjectKind().SetGroupVersionKind(*kind)
		binary, err := runtime.Encode(encoder, object)
		if err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		fmt.Fprintln(writer, base64.StdEncoding.EncodeToString(binary))
	}
}

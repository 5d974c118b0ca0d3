// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

const protobuf = "application/vnd.kubernetes.protobuf"

// apiserver is one connection to a kube-apiserver, as a controller has it.
type apiserver struct {
	client *http.Client
	url    string
	token  string
}

func connect(url, caFile, token string) (*apiserver, error) {
	ca, err := os.ReadFile(caFile)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(ca) {
		return nil, fmt.Errorf("%s holds no certificate", caFile)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	return &apiserver{client: &http.Client{Transport: transport}, url: url + "/api/v1/namespaces/default/pods", token: token}, nil
}

// createPod creates a pod as the ReplicaSet controller does.
func (a *apiserver) createPod(name string) error {
	body, err := pod(name)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, a.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+a.token)
	request.Header.Set("Content-Type", protobuf)
	request.Header.Set("Accept", protobuf)
	response, err := a.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusCreated {
		return fmt.Errorf("%s: %s", response.Status, answer)
	}
	return nil
}

func pod(name string) ([]byte, error) {
	yes, seconds := true, int64(300)
	resources := core.ResourceList{core.ResourceCPU: resource.MustParse("100m"), core.ResourceMemory: resource.MustParse("128Mi")}
	toleration := func(key string) core.Toleration {
		return core.Toleration{Key: key, Operator: core.TolerationOpExists, Effect: core.TaintEffectNoExecute, TolerationSeconds: &seconds}
	}
	pod := core.Pod{
		ObjectMeta: meta.ObjectMeta{
			Name: name, Labels: map[string]string{"app.kubernetes.io/name": "web", "app.kubernetes.io/instance": "web-eu", "pod-template-hash": "6b7f675859"},
			OwnerReferences: []meta.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web-6b7f675859", UID: types.UID("c9f0f895-fb98-4b91-99f5-000000000001"), Controller: &yes, BlockOwnerDeletion: &yes}},
		},
		Spec: core.PodSpec{
			Containers: []core.Container{{
				Name: "web", Image: "registry.example/web@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
				Ports:     []core.ContainerPort{{Name: "http", ContainerPort: 8080}},
				Env:       []core.EnvVar{{Name: "REGION", Value: "eu"}, {Name: "POD_NAME", ValueFrom: &core.EnvVarSource{FieldRef: &core.ObjectFieldSelector{FieldPath: "metadata.name"}}}},
				Resources: core.ResourceRequirements{Requests: resources, Limits: resources},
			}},
			NodeSelector: map[string]string{"kubernetes.io/os": "linux"},
			Tolerations:  []core.Toleration{toleration("node.kubernetes.io/not-ready"), toleration("node.kubernetes.io/unreachable")},
		},
	}
	raw, err := pod.Marshal()
	if err != nil {
		return nil, err
	}
	unknown := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "v1", Kind: "Pod"}, Raw: raw}
	body, err := unknown.Marshal()
	return append([]byte("k8s\x00"), body...), err
}

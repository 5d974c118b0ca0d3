// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	coordination "k8s.io/api/coordination/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// Each client renews Leases of its own, as the kubelets of so many nodes.
const leasesPerClient = 100

// renew puts a node's Lease as kube-apiserver keeps it: protobuf in its envelope.
func renew(c *clientv3.Client, node int) error {
	name := fmt.Sprintf("node-%06d", node)
	seconds, now := int32(40), meta.NowMicro()
	lease := coordination.Lease{
		ObjectMeta: meta.ObjectMeta{
			Name: name, Namespace: "kube-node-lease", UID: types.UID(fmt.Sprintf("8f14e45f-ceea-467f-a0e6-%012d", node)), CreationTimestamp: meta.NewTime(time.Unix(1_700_000_000, 0)),
			OwnerReferences: []meta.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: name, UID: types.UID(fmt.Sprintf("c9f0f895-fb98-4b91-99f5-%012d", node))}},
			ManagedFields:   []meta.ManagedFieldsEntry{{Manager: "kubelet", Operation: meta.ManagedFieldsOperationUpdate, APIVersion: "coordination.k8s.io/v1", FieldsType: "FieldsV1", FieldsV1: &meta.FieldsV1{Raw: []byte(leaseFields)}}},
		},
		Spec: coordination.LeaseSpec{HolderIdentity: &name, LeaseDurationSeconds: &seconds, RenewTime: &now},
	}
	raw, err := lease.Marshal()
	if err != nil {
		return err
	}
	unknown := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "coordination.k8s.io/v1", Kind: "Lease"}, Raw: raw}
	body, err := unknown.Marshal()
	if err != nil {
		return err
	}
	_, err = c.Put(context.Background(), "/registry/leases/kube-node-lease/"+name, "k8s\x00"+string(body))
	return err
}

const leaseFields = `{"f:metadata":{"f:ownerReferences":{".":{},"k:{\"uid\":\"c9f0f895-fb98-4b91-99f5-000000000000\"}":{}}},"f:spec":{"f:holderIdentity":{},"f:leaseDurationSeconds":{},"f:renewTime":{}}}`

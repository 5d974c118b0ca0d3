// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

/** What advice is for. */
public enum Component {
  KUBE_APISERVER("kube-apiserver"),
  KUBE_CONTROLLER_MANAGER("kube-controller-manager"),
  KUBE_SCHEDULER("kube-scheduler"),
  KUBELET("kubelet"),
  KUBE_PROXY("kube-proxy"),
  /** Programs that use client-go; their gates come from the environment. */
  CLIENTS("clients"),
  /** etcd, or Exaplane's store. */
  STORE("store");

  private final String label;

  Component(String label) {
    this.label = label;
  }

  /** The name that users see and, but for clients, the binary's. */
  public String label() {
    return label;
  }

  @Override
  public String toString() {
    return label;
  }
}

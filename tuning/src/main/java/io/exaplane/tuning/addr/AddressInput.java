// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import java.util.Arrays;
import java.util.Optional;

/** What a plan of addresses asks. Each has a default, which is stated here and in the help. */
public enum AddressInput {
  PROVIDER("provider", "NAME", true, "all, one row for each", "provider of the network"),
  NODES("nodes", "COUNT", true, "none; shows the capacity", "nodes that you plan for"),
  PREFIXES(
      "prefixes",
      "CIDRS",
      true,
      "one of the provider's default length",
      "IPv6 prefixes of your network, separated by commas"),
  SUBNET_LENGTH("subnet-length", "LENGTH", true, "by the provider", "prefix length of each subnet"),
  NODE_PREFIX_LENGTH(
      "node-prefix-length",
      "LENGTH",
      true,
      "by the provider",
      "length of the prefix that a node gets from the provider; 128 if it gets none"),
  POD_PREFIX_LENGTH(
      "pod-prefix-length",
      "LENGTH",
      true,
      "by the provider; 64 with --cluster-cidr",
      "length of the prefix for the pods of a node"),
  MAX_PODS("max-pods", "COUNT", false, "110", "kubelet's maxPods"),
  SERVICE_CIDR("service-cidr", "CIDR", false, "fd00:10:96::/108", "IPv6 range of Services"),
  CLUSTER_CIDR(
      "cluster-cidr",
      "CIDR",
      false,
      "none; pods use the prefixes of their nodes",
      "IPv6 range that kube-controller-manager divides into a range for each node"),
  KUBERNETES_VERSION(
      "kubernetes-version",
      "VERSION",
      false,
      "the newest known version",
      "Kubernetes version, for example 1.36 or v1.36.3-gke.100");

  private final String key;
  private final String label;
  private final boolean ofPart;
  private final String defaultText;
  private final String meaning;

  AddressInput(String key, String label, boolean ofPart, String defaultText, String meaning) {
    this.key = key;
    this.label = label;
    this.ofPart = ofPart;
    this.defaultText = defaultText;
    this.meaning = meaning;
  }

  /** The input of a name, as the command line has it without the dashes. */
  public static Optional<AddressInput> byKey(String key) {
    return Arrays.stream(values()).filter(input -> input.key.equals(key)).findFirst();
  }

  public String key() {
    return key;
  }

  /** What a value looks like. */
  public String label() {
    return label;
  }

  /** Whether each part of a plan has its own. */
  public boolean ofPart() {
    return ofPart;
  }

  public String defaultText() {
    return defaultText;
  }

  public String meaning() {
    return meaning;
  }
}

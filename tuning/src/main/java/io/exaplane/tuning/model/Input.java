// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import java.util.Arrays;
import java.util.Optional;

/**
 * What the model asks about a cluster. Each has a default, which is stated here and in the help.
 */
public enum Input {
  KUBERNETES_VERSION(
      "kubernetes-version",
      Type.VERSION,
      "the newest known version",
      "Kubernetes version, for example 1.36, 1.36.3 or v1.36.3-gke.100; a patch number tells which "
          + "bugs the version has"),
  NODES("nodes", Type.COUNT, 1, 1_000_000, "1000", "nodes"),
  PODS_PER_NODE("pods-per-node", Type.COUNT, 0, 1_000, "30", "pods on a node, on average"),
  POD_CHURN(
      "pod-churn-per-second",
      Type.NUMBER,
      0,
      100_000,
      "2 · pods / 14,400, for pods that live four hours",
      "pods created and deleted a second"),
  POD_WRITES(
      "pod-writes",
      Type.NUMBER,
      1,
      100,
      "6",
      "writes of a pod for each creation or deletion: creation, binding, status"),
  POD_EVENTS(
      "pod-events", Type.NUMBER, 0, 100, "4", "Events for each creation or deletion of a pod"),
  POD_BYTES("pod-bytes", Type.COUNT, 100, 1_500_000, "10000", "a pod, bytes as it is stored"),
  POD_WATCHERS(
      "pod-watchers",
      Type.COUNT,
      0,
      100_000,
      "8",
      "clients that are told of every write of a pod, beside the kubelet of its node"),
  SECRETS_PER_POD(
      "secrets-per-pod",
      Type.NUMBER,
      0,
      100,
      "0.1",
      "Secrets for each pod, and as many ConfigMaps"),
  NODE_BYTES("node-bytes", Type.COUNT, 100, 1_500_000, "25000", "a Node, bytes as it is stored"),
  SERVICES("services", Type.COUNT, 0, 100_000_000, "pods / 15", "Services"),
  CUSTOM_RESOURCE_DEFINITIONS("crds", Type.COUNT, 0, 20_000, "50", "CustomResourceDefinitions"),
  CRD_SCHEMA_KIB("crd-schema-kib", Type.NUMBER, 0, 1_500, "60", "schema of a CRD, KiB of JSON"),
  CRD_VERSIONS("crd-versions", Type.COUNT, 1, 20, "1", "served versions of a CRD"),
  CUSTOM_RESOURCES(
      "custom-resources", Type.COUNT, 0, 100_000_000, "0", "custom resources of all kinds"),
  CUSTOM_RESOURCE_BYTES(
      "custom-resource-bytes",
      Type.COUNT,
      1,
      1_500_000,
      "1024",
      "a custom resource, bytes of JSON"),
  GROUP_VERSIONS(
      "group-versions",
      Type.COUNT,
      1,
      20_000,
      "33 + crds / 5",
      "GroupVersions that the API serves"),
  REPLICAS("replicas", Type.COUNT, 1, 100, "by the model", "kube-apiservers"),
  APISERVER_MEMORY(
      "apiserver-memory",
      Type.BYTES,
      512L << 20,
      24L << 40,
      "by the model",
      "memory limit of a kube-apiserver"),
  APISERVER_CPUS(
      "apiserver-cpus", Type.NUMBER, 0.1, 1_024, "by the model", "cores of a kube-apiserver"),
  REQUESTS_IN_FLIGHT(
      "requests-in-flight",
      Type.COUNT,
      1,
      1_000_000,
      "by the model",
      "concurrent read requests; set this to see the consequences of another number"),
  MUTATING_REQUESTS_IN_FLIGHT(
      "mutating-requests-in-flight",
      Type.COUNT,
      0,
      1_000_000,
      "by the model",
      "concurrent write requests; set this to see the consequences of another number"),
  LARGEST_NODE_MEMORY(
      "largest-node-memory",
      Type.BYTES,
      1L << 30,
      24L << 40,
      "unknown",
      "allocatable memory of the largest node that can run a kube-apiserver or a store"),
  LEASE_SECONDS(
      "node-lease-seconds", Type.COUNT, 4, 3_600, "by the model", "nodeLeaseDurationSeconds"),
  STATUS_SECONDS(
      "node-status-seconds", Type.COUNT, 30, 86_400, "by the model", "nodeStatusReportFrequency"),
  LEASE_WATCHERS(
      "lease-watchers",
      Type.COUNT,
      1,
      1_000_000,
      "unknown",
      "clients that watch the Leases of nodes; 1 if only kube-controller-manager may"),
  STORE_WRITES(
      "store-writes-per-second",
      Type.COUNT,
      10,
      10_000_000,
      "50000; by cores for Exaplane's stores, up to 120000",
      "writes a second that one store (etcd or Exaplane's) sustains"),
  EXAPLANE_STORES(
      "exaplane-stores",
      Type.BOOLEAN,
      "false",
      "whether the stores are Exaplane's, which get the memory that they need, or etcd"),
  STORE_QUOTA(
      "store-quota",
      Type.BYTES,
      64L << 20,
      24L << 40,
      "8Gi; as needed for Exaplane's stores",
      "quota of one store"),
  APISERVER_BANDWIDTH(
      "apiserver-bandwidth-mbps",
      Type.NUMBER,
      1,
      1e6,
      "1250",
      "network of a kube-apiserver, in megabytes a second"),
  STORE_BANDWIDTH(
      "store-bandwidth-mbps",
      Type.NUMBER,
      1,
      1e6,
      "1250",
      "network of a store, in megabytes a second"),
  CLIENT_BANDWIDTH(
      "client-bandwidth-mbps",
      Type.NUMBER,
      0.01,
      1e6,
      "unknown",
      "network between one client and kube-apiserver, in megabytes a second"),
  WATCHES_PER_NODE(
      "watches-per-node", Type.COUNT, 0, 1_000, "18", "watches of the agents on a node"),
  SCHEDULER_POOL(
      "scheduler-pool",
      Type.BOOLEAN,
      "false",
      "whether a SchedulerPool places the pods, or one kube-scheduler"),
  KUBE_PROXY(
      "kube-proxy",
      Type.BOOLEAN,
      "true",
      "whether each node watches all Services and EndpointSlices"),
  LOAD_BALANCER(
      "load-balancer",
      Type.BOOLEAN,
      "true",
      "whether clients reach kube-apiservers through a layer 4 load balancer"),
  LOAD_BALANCER_SECONDS(
      "load-balancer-seconds",
      Type.COUNT,
      1,
      600,
      "30",
      "the time that the load balancer needs to drop a stopping kube-apiserver"),
  AGENTS(
      "agents",
      Type.ACCOUNTS,
      "none",
      "namespaces/serviceaccounts of agents that run on every node, such as telemetry"),
  HEAVY_LISTERS(
      "heavy-listers",
      Type.ACCOUNTS,
      "none",
      "namespaces/serviceaccounts of clients that list whole resources"),
  BREAK_GLASS_GROUP(
      "break-glass-group", Type.WORD, "none", "group of people who must get through an overload"),
  POD_CIDRS(
      "pod-cidrs",
      Type.CIDRS,
      "none; the CNI plugin uses its own ranges",
      "at most one for each IP family"),
  SERVICE_CIDRS("service-cidrs", Type.CIDRS, "fd00:10:96::/108", "at most one for each IP family"),
  NODE_MASK_IPV6("node-cidr-mask-size-ipv6", Type.COUNT, 1, 126, "64", "prefix length of a node"),
  NODE_MASK_IPV4("node-cidr-mask-size-ipv4", Type.COUNT, 1, 30, "24", "prefix length of a node");

  /** What a value looks like. */
  public enum Type {
    VERSION,
    COUNT,
    NUMBER,
    BYTES,
    BOOLEAN,
    WORD,
    ACCOUNTS,
    CIDRS
  }

  private final String key;
  private final Type type;
  private final double min;
  private final double max;
  private final String defaultText;
  private final String meaning;

  Input(String key, Type type, String defaultText, String meaning) {
    this(key, type, 0, 0, defaultText, meaning);
  }

  Input(String key, Type type, double min, double max, String defaultText, String meaning) {
    this.key = key;
    this.type = type;
    this.min = min;
    this.max = max;
    this.defaultText = defaultText;
    this.meaning = meaning;
  }

  /** The input of a name, as the command line has it without the dashes. */
  public static Optional<Input> byKey(String key) {
    return Arrays.stream(values()).filter(input -> input.key.equals(key)).findFirst();
  }

  public String key() {
    return key;
  }

  public Type type() {
    return type;
  }

  /** The least value. */
  public double min() {
    return min;
  }

  /** The largest value. */
  public double max() {
    return max;
  }

  public String defaultText() {
    return defaultText;
  }

  public String meaning() {
    return meaning;
  }
}

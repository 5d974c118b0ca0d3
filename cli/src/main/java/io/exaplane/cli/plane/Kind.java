// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The kinds of objects that commands about control planes read or change. */
public enum Kind {
  CONTROL_PLANE("/apis/exaplane.io/v1alpha1", "controlplanes", "ControlPlane", "cpl"),
  STORE_SHARD("/apis/exaplane.io/v1alpha1", "storeshards", "StoreShard", "shard"),
  SCHEDULER_POOL("/apis/exaplane.io/v1alpha1", "schedulerpools", "SchedulerPool", "spool"),
  NODE_POOL("/apis/exaplane.io/v1alpha1", "nodepools", "NodePool", "npool"),
  TASK("/apis/exaplane.io/v1alpha1", "controlplanetasks", "ControlPlaneTask", "cpltask"),
  DEPLOYMENT("/apis/apps/v1", "deployments", "Deployment", "deploy"),
  STATEFUL_SET("/apis/apps/v1", "statefulsets", "StatefulSet", "sts"),
  POD("/api/v1", "pods", "Pod", "po"),
  SERVICE("/api/v1", "services", "Service", "svc"),
  CLAIM("/api/v1", "persistentvolumeclaims", "PersistentVolumeClaim", "pvc"),
  CONFIG_MAP("/api/v1", "configmaps", "ConfigMap", "cm"),
  SECRET("/api/v1", "secrets", "Secret", "secret"),
  EVENT("/api/v1", "events", "Event", "ev"),
  POD_METRICS("/apis/metrics.k8s.io/v1beta1", "pods", "PodMetrics", "");

  /** The group and version of the operator's own kinds, as a path. */
  static final String GROUP = "/apis/exaplane.io/v1alpha1";

  private final String root;
  private final String plural;
  private final String title;
  private final String shortName;

  Kind(String root, String plural, String title, String shortName) {
    this.root = root;
    this.plural = plural;
    this.title = title;
    this.shortName = shortName;
  }

  /** As in {@code kind:} of a manifest. */
  public String title() {
    return title;
  }

  /** As in an address and in a rule of a Role. */
  public String plural() {
    return plural;
  }

  /** The path of all objects of a namespace; of all namespaces if it is null. */
  String path(String namespace) {
    return namespace == null
        ? root + "/" + plural
        : root + "/namespaces/" + namespace + "/" + plural;
  }

  /** As {@code kubectl auth can-i} takes it: {@code pods.metrics.k8s.io}. */
  String resource() {
    String[] parts = root.split("/");
    return parts.length > 3 ? plural + "." + parts[2] : plural;
  }

  /** The kind of the operator's own that a word of kubectl's means, as cpl or ControlPlane. */
  public static Optional<Kind> named(String word) {
    String small = word.toLowerCase(Locale.ROOT);
    return Stream.of(CONTROL_PLANE, STORE_SHARD, SCHEDULER_POOL, NODE_POOL, TASK)
        .filter(
            kind ->
                small.equals(kind.shortName)
                    || small.equals(kind.plural)
                    || small.equals(kind.title.toLowerCase(Locale.ROOT)))
        .findFirst();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.monitors;

import io.exaplane.tuning.alerts.Series;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One kind of pods with metrics. Immutable.
 *
 * @param job that series have
 * @param path of the page
 * @param port its name in the pod, and in the Service if there is one
 * @param namespace of the pods; empty for all
 * @param labels that the pods have, by name; an empty value stands for any
 * @param planeLabel of the pods, whose value becomes the label {@code controlplane}; empty for none
 * @param token name of the Secret with the token for pods that answer to users of a hosted cluster
 *     alone; empty for none
 */
public record Target(
    String job,
    String path,
    String port,
    String namespace,
    Map<String, String> labels,
    String planeLabel,
    String token) {
  private static final String CONTROL_PLANE = "exaplane.io/control-plane";
  private static final String POOL = "exaplane.io/scheduler-pool";
  private static final String COMPONENT = "app.kubernetes.io/component";

  public Target {
    labels = new LinkedHashMap<>(labels);
  }

  /** Pods of the management cluster that need no token: the operator, all stores, all roots. */
  public static List<Target> ofFleet(String operatorNamespace) {
    return List.of(
        new Target(
            Series.OPERATOR,
            "/q/metrics",
            "http",
            operatorNamespace,
            Map.of("app.kubernetes.io/name", "exaplane-operator"),
            "",
            ""),
        new Target(
            Series.STORE,
            "/metrics",
            "metrics",
            "",
            Map.of("exaplane.io/store-shard", ""),
            CONTROL_PLANE,
            ""),
        new Target(Series.POOL, "/q/metrics", "http", "", root(), POOL, ""));
  }

  private static Map<String, String> root() {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(POOL, "");
    labels.put(COMPONENT, "root");
    return labels;
  }

  /** The components of one control plane. */
  public static List<Target> ofControlPlane(HostedPlane plane) {
    return List.of(
        component(plane, Series.API_SERVER, "apiserver"),
        component(plane, Series.CONTROLLERS, "controller-manager"),
        component(plane, Series.KUBE_SCHEDULER, "scheduler"));
  }

  private static Target component(HostedPlane plane, String job, String component) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(CONTROL_PLANE, plane.name());
    labels.put(COMPONENT, component);
    return new Target(
        job, "/metrics", "https", plane.namespace(), labels, CONTROL_PLANE, plane.tokenSecret());
  }

  /** Whether a Service with the same labels has its pods. Other pods are read one by one. */
  public boolean hasService() {
    return Set.of(Series.OPERATOR, Series.STORE, Series.API_SERVER).contains(job);
  }

  /** Whether it needs a token. */
  boolean isHosted() {
    return !token.isEmpty();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pod;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;

/** Probes of containers: all are a GET of one path. Pure. */
public final class PodProbes {
  private PodProbes() {}

  /** A GET at the port named https, at the pace of Kubernetes' defaults. */
  public static ProbeBuilder https(String path) {
    return get("HTTPS", path, "https");
  }

  /**
   * A GET without TLS, at the pace of Kubernetes' defaults.
   *
   * @param port its name
   */
  public static ProbeBuilder http(String path, String port) {
    return get("HTTP", path, port);
  }

  /**
   * A probe with a pace of its own.
   *
   * @param periodSeconds from one attempt to the next
   * @param failures how many attempts in a row have to fail
   * @param timeoutSeconds how long an attempt may take
   */
  public static Probe paced(
      ProbeBuilder probe, int periodSeconds, int failures, int timeoutSeconds) {
    return probe
        .withPeriodSeconds(periodSeconds)
        .withFailureThreshold(failures)
        .withTimeoutSeconds(timeoutSeconds)
        .build();
  }

  private static ProbeBuilder get(String scheme, String path, String port) {
    return new ProbeBuilder()
        .withNewHttpGet()
        .withScheme(scheme)
        .withPath(path)
        .withPort(new IntOrString(port))
        .endHttpGet();
  }
}

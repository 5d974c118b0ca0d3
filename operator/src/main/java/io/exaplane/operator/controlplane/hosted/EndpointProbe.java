// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.hosted.HostedClusters;
import io.exaplane.operator.hosted.ProbeClient;
import io.exaplane.operator.net.IpAddresses;
import io.exaplane.operator.probe.BoundedGet;
import io.exaplane.operator.probe.ProbeFailure;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Set;

/** Asks each hosted API through its published endpoint whether it answers. Thread-safe. */
@ApplicationScoped
public class EndpointProbe {
  /** How often each endpoint is asked. */
  public static final Duration PERIOD = Duration.ofSeconds(3);

  private static final String NONE_READY = "no kube-apiserver is ready";
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final long MOST_BYTES = 64 << 10;

  /** Who fails sooner may be one of several servers that is just stopping. */
  private static final Duration SOON = Duration.ofSeconds(1);

  private final HostedClusters clusters;
  private final ProbeClient client;

  EndpointProbe(HostedClusters clusters, ProbeClient client) {
    this.client = client;
    this.clusters = clusters;
  }

  /**
   * What the last request through an endpoint gave.
   *
   * @param url what was asked
   * @param answers whether it answered
   * @param problem why not; "" when it did
   */
  public record Result(String url, boolean answers, String problem) {}

  /**
   * Asks once; nothing as long as the endpoint or the CA is not known. While no kube-apiserver is
   * ready the endpoint leads to nobody, and nobody is asked: a fleet without room would take a
   * connection for each control plane.
   */
  public Set<Result> probe(ControlPlane controlPlane) {
    Endpoint endpoint =
        controlPlane.getStatus() == null ? null : controlPlane.getStatus().endpoint();
    if (endpoint == null) {
      return Set.of();
    }
    boolean mayAnswer = mayAnswer(controlPlane.getStatus());
    return clusters
        .find(controlPlane.getMetadata().getUid())
        .map(
            cluster ->
                Set.of(
                    mayAnswer
                        ? ask(cluster, endpoint)
                        : new Result(url(endpoint), false, NONE_READY)))
        .orElse(Set.of());
  }

  /** Whether a kube-apiserver may be ready: it is not known that none is. */
  static boolean mayAnswer(ControlPlaneStatus status) {
    return status.conditions() == null
        || status.conditions().stream()
            .filter(condition -> condition.type().equals(ConditionType.APIServerAvailable.name()))
            .noneMatch(condition -> condition.status().equals(Condition.FALSE));
  }

  /** The URL of an endpoint. */
  public static String url(Endpoint endpoint) {
    return "https://" + IpAddresses.urlHost(endpoint.host()) + ":" + endpoint.port();
  }

  /**
   * One server that is just stopping must not make the API look lost: a second request goes to
   * another.
   */
  private Result ask(HostedCluster cluster, Endpoint endpoint) {
    long began = System.nanoTime();
    Result first = askOnce(cluster, endpoint);
    boolean late = System.nanoTime() - began > SOON.toNanos();
    return first.answers() || late ? first : askOnce(cluster, endpoint);
  }

  private Result askOnce(HostedCluster cluster, Endpoint endpoint) {
    String server = url(endpoint);
    // Whether servers are ready is what the Service goes by, and a store is judged by its own
    // conditions: here the question is whether the API answers.
    URI uri = URI.create(server + "/livez?exclude=etcd");
    try {
      int status =
          BoundedGet.of(client.trusting(cluster.trust(), endpoint), uri, TIMEOUT, MOST_BYTES)
              .statusCode();
      return status == HttpURLConnection.HTTP_OK
          ? new Result(server, true, "")
          : new Result(server, false, "the server answers with status " + status);
    } catch (IOException e) {
      return new Result(server, false, ProbeFailure.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Result(server, false, "the operator is stopping");
    }
  }
}

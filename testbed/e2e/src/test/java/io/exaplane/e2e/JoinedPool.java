// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodePoolStatus;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/**
 * A NodePool of a control plane, and hosts that joined it by the script in its Secret. Both end
 * when it is closed. One thread.
 */
final class JoinedPool implements AutoCloseable {
  static final String NAME = "edge";
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Scratch scratch;
  private final List<JoinedHost> hosts = new ArrayList<>();

  private JoinedPool(Scratch scratch) {
    this.scratch = scratch;
  }

  /**
   * Makes the pool, and joins so many hosts; all of them are Ready when this returns.
   *
   * @param folder for what the hosts write
   */
  static JoinedPool make(Scratch scratch, int number, Path folder) throws IOException {
    JoinedPool pool = new JoinedPool(scratch);
    try {
      String script = pool.create(number);
      for (int i = 1; i <= number; i++) {
        JoinedHost host = JoinedHost.make(i, folder);
        pool.hosts.add(host);
        host.join(script);
      }
      pool.hosts.forEach(pool::awaitReady);
      return pool;
    } catch (IOException | RuntimeException | AssertionError e) {
      try {
        pool.close();
      } catch (RuntimeException | AssertionError after) {
        e.addSuppressed(after);
      }
      throw e;
    }
  }

  /** Half of the nodes may restart their kubelets within a minute. */
  private String create(int maxNodes) {
    Bed.apply(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: NodePool
        metadata: {name: %s, namespace: %s}
        spec:
          controlPlaneRef: {name: %s}
          maxNodes: %d
          addresses: {source: StaticPrefix, prefixes: ["%s"], podPrefixLength: %d}
          kubelet: {changePercentPerMinute: 50}
        """
            .formatted(
                NAME,
                scratch.namespace,
                scratch.name,
                maxNodes,
                JoinedHost.PREFIXES,
                JoinedHost.PREFIX_LENGTH));
    Bed.kubectl(
        "--namespace=" + scratch.namespace,
        "wait",
        "npool",
        NAME,
        "--for=condition=JoinMaterialReady",
        "--timeout=300s");
    Secret secret =
        Bed.CLIENT.secrets().inNamespace(scratch.namespace).withName(NAME + "-node-join").get();
    return new String(
        Base64.getDecoder().decode(secret.getData().get("join.sh")), StandardCharsets.UTF_8);
  }

  /** Nothing keeps pods away any more, and the kubelet has the certificate that it serves. */
  private void awaitReady(JoinedHost host) {
    Bed.await(
        host.name + " is Ready, without a taint",
        PATIENCE,
        () -> {
          Node node = scratch.client().nodes().withName(host.name).get();
          return isReady(node)
              && (node.getSpec().getTaints() == null || node.getSpec().getTaints().isEmpty());
        },
        () -> scratch.hosted("describe", "node", host.name));
    Bed.await(
        host.name + " has a serving certificate",
        PATIENCE,
        () -> host.inside("ls", "/var/lib/kubelet/pki").contains("kubelet-server-current.pem"),
        () -> scratch.hosted("get", "csr") + host.lastWords());
  }

  private static boolean isReady(Node node) {
    return node.getStatus().getConditions().stream()
        .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
  }

  /** By number. */
  List<JoinedHost> hosts() {
    return List.copyOf(hosts);
  }

  /** What the operator tells of the CAs that the nodes trust; null for nothing. */
  NodePoolStatus.Authorities authorities() {
    NodePoolStatus status =
        Bed.CLIENT
            .resources(NodePool.class)
            .inNamespace(scratch.namespace)
            .withName(NAME)
            .get()
            .getStatus();
    return status == null ? null : status.authorities();
  }

  /** Waits until so many nodes follow the CAs that they are to trust, and the others do not. */
  void awaitFollowing(int following, Duration deadline) {
    Bed.await(
        following + " nodes follow the CAs",
        deadline,
        () -> {
          NodePoolStatus.Authorities told = authorities();
          return told != null
              && told.followingNodes() == following
              && told.otherNodes() == hosts.size() - following;
        },
        this::describe);
  }

  private String describe() {
    StringBuilder text = new StringBuilder(Objects.toString(authorities()));
    hosts.forEach(host -> text.append("\n%s\n%s".formatted(host.name, host.lastWords())));
    return text.toString();
  }

  /** The pool's tokens go while the API serves; then the hosts go. */
  @Override
  public void close() {
    try {
      Bed.kubectl(
          "--namespace=" + scratch.namespace,
          "delete",
          "npool",
          NAME,
          "--ignore-not-found",
          "--timeout=300s");
    } finally {
      hosts.forEach(JoinedHost::close);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.fleet;

import io.exaplane.cli.measure.MeasurementException;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Deletes what fleets of a prefix left: namespaces with the label and a name of the prefix, and the
 * ControlPlanes in them. A namespace in which somebody else has objects stays. Used by one thread.
 */
public final class Removal {
  private static final String NAMESPACES = "/api/v1/namespaces";
  private static final String CONTROL_PLANES = "/apis/exaplane.io/v1alpha1/controlplanes";
  private static final String FOREIGN =
      "app.kubernetes.io/managed-by!=exaplane,!" + FleetNames.LABEL;

  /** Kinds by which a foreign user of a namespace is noticed. */
  private static final Map<String, String> WATCHED =
      new TreeMap<>(
          Map.of(
              "ConfigMap", "/api/v1/configmaps",
              "ControlPlane", CONTROL_PLANES,
              "DaemonSet", "/apis/apps/v1/daemonsets",
              "Deployment", "/apis/apps/v1/deployments",
              "PersistentVolumeClaim", "/api/v1/persistentvolumeclaims",
              "Service", "/api/v1/services",
              "StatefulSet", "/apis/apps/v1/statefulsets"));

  /** Kubernetes and its distributions put these into every namespace. */
  private static final String OF_EVERY_NAMESPACE = "-ca.crt";

  /** Claims that a StatefulSet makes have the labels of its template at most. */
  private static final Set<String> OF_STORES = Set.of("PersistentVolumeClaim");

  private static final long PAUSE_MS = 500;

  private final KubernetesClient client;
  private final Metadata metadata;
  private final String prefix;
  private final String selector;
  private final Consumer<String> tell;

  /**
   * Deletes nothing yet.
   *
   * @param run of one fleet; "" for all of the prefix
   * @param tell takes a line about each step
   */
  public Removal(KubernetesClient client, String prefix, String run, Consumer<String> tell) {
    this.client = client;
    this.metadata = new Metadata(client);
    this.prefix = prefix;
    this.selector = run.isEmpty() ? FleetNames.LABEL : FleetNames.LABEL + "=" + run;
    this.tell = tell;
  }

  /** The namespaces that fleets created and that exist. */
  public Set<String> namespaces() {
    return metadata.list(NAMESPACES, selector).stream()
        .map(Metadata.Item::name)
        .filter(name -> FleetNames.isOf(prefix, name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Names of namespaces that a fleet would create and that exist, whoever created them.
   *
   * @param wanted by the fleet
   */
  Set<String> taken(Set<String> wanted) {
    return metadata.list(NAMESPACES, "").stream()
        .map(Metadata.Item::name)
        .filter(wanted::contains)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Deletes and waits: first the ControlPlanes, then the namespaces.
   *
   * @return seconds from the first request until no ControlPlane and no object of the operator
   *     existed
   * @throws MeasurementException if something still exists after so long, with the next action
   */
  public double run(Duration patience) {
    long began = System.nanoTime();
    long deadline = began + patience.toNanos();
    Set<String> ours = namespaces();
    Set<String> foreign = foreign(ours);
    tell.accept("deleting %d ControlPlanes".formatted(controlPlanes(ours).size()));
    repeat(
        deadline,
        "ControlPlanes",
        () -> {
          List<Metadata.Item> left = controlPlanes(ours);
          left.stream().filter(Removal::isToStay).forEach(this::deleteControlPlane);
          return left.size();
        });
    repeat(deadline, "objects of the operator", () -> owned(ours));
    double seconds = (System.nanoTime() - began) / 1e9;
    Set<String> free = new TreeSet<>(ours);
    free.removeAll(foreign);
    tell.accept("deleting %d namespaces".formatted(free.size()));
    repeat(deadline, "namespaces", () -> deleteNamespaces(free));
    if (!foreign.isEmpty()) {
      throw new MeasurementException(
          "the namespaces %s hold objects that the command did not create, so the namespaces remain; delete them with kubectl"
              .formatted(String.join(", ", foreign)));
    }
    return seconds;
  }

  private List<Metadata.Item> controlPlanes(Set<String> ours) {
    return metadata.list(CONTROL_PLANES, selector).stream()
        .filter(item -> ours.contains(item.namespace()))
        .toList();
  }

  /** Whether nobody asked for its deletion yet. */
  private static boolean isToStay(Metadata.Item item) {
    return item.json().path("deletionTimestamp").isMissingNode();
  }

  private void deleteControlPlane(Metadata.Item item) {
    Fleet.controlPlanes(client)
        .inNamespace(item.namespace())
        .withName(item.name())
        .withPropagationPolicy(DeletionPropagation.BACKGROUND)
        .delete();
  }

  /** Secrets are not counted: some outlive their control plane, until the namespace is deleted. */
  private int owned(Set<String> ours) {
    int left = 0;
    for (OwnedKind kind : OwnedKind.values()) {
      if (kind != OwnedKind.SECRET) {
        left +=
            (int)
                metadata.list(kind.path(), "app.kubernetes.io/managed-by=exaplane").stream()
                    .filter(item -> ours.contains(item.namespace()))
                    .count();
      }
    }
    return left;
  }

  private int deleteNamespaces(Set<String> free) {
    List<Metadata.Item> left =
        metadata.list(NAMESPACES, selector).stream()
            .filter(item -> free.contains(item.name()))
            .toList();
    left.stream()
        .filter(Removal::isToStay)
        .forEach(item -> client.namespaces().withName(item.name()).delete());
    return left.size();
  }

  private Set<String> foreign(Set<String> ours) {
    Set<String> found = new TreeSet<>();
    WATCHED.forEach(
        (kind, path) ->
            metadata.list(path, FOREIGN).stream()
                .filter(item -> ours.contains(item.namespace()))
                .filter(item -> !item.name().endsWith(OF_EVERY_NAMESPACE))
                .filter(item -> !OF_STORES.contains(kind) || !item.name().contains(FleetNames.NAME))
                .forEach(item -> found.add(item.namespace())));
    return found;
  }

  /** Repeats a step until it counts none; the server may be busy with what it was given. */
  private void repeat(long deadline, String what, Step step) {
    while (true) {
      String problem;
      try {
        int left = step.left();
        if (left == 0) {
          return;
        }
        problem = "%d %s still exist".formatted(left, what);
      } catch (MeasurementException | KubernetesClientException e) {
        problem = String.valueOf(e.getMessage());
      }
      if (System.nanoTime() > deadline) {
        throw new MeasurementException(
            "%s; run 'exactl bench fleet --delete-only --namespace-prefix %s' again, and check that the operator runs"
                .formatted(problem, prefix));
      }
      pause();
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private interface Step {
    int left();
  }
}

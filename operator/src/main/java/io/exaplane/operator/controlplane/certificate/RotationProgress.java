// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.certificate;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.controlplane.observe.Sighting;
import io.exaplane.operator.controlplane.render.ApiServerFlags;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.rotation.RotationEpochs;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Which components do not run with the present steps of rotations yet, and who does. Pure. */
final class RotationProgress {
  private RotationProgress() {}

  /** Their names, in the order in which they are replaced. */
  static List<String> remaining(Sighting seen, Authorities keys) {
    RotationEpochs epochs = keys.epochs();
    List<String> remaining = new ArrayList<>();
    add(remaining, seen, ControlPlaneNames.API_SERVER, epochs.apiServer());
    if (keys.encryptionKey().isPresent() && remaining.isEmpty() && !usesOnly(seen, epochs)) {
      remaining.add(seen.sized().controlPlane().names().component(ControlPlaneNames.API_SERVER));
    }
    add(remaining, seen, ControlPlaneNames.CONTROLLER_MANAGER, epochs.controllerManager());
    if (!seen.scheduling().handedOver()) {
      add(remaining, seen, ControlPlaneNames.SCHEDULER, epochs.scheduler());
    } else if (!seen.scheduling().pool().map(pool -> follows(pool, keys)).orElse(true)) {
      remaining.add("SchedulerPool " + seen.scheduling().poolName().orElse(""));
    }
    return List.copyOf(remaining);
  }

  private static void add(List<String> remaining, Sighting seen, String component, String epoch) {
    if (deployment(seen, component)
        .filter(d -> Rollout.isComplete(d) && Rollout.rotationEpoch(d).equals(epoch))
        .isEmpty()) {
      remaining.add(seen.sized().controlPlane().names().component(component));
    }
  }

  /**
   * Who alone writes objects now: the Deployment of kube-apiserver and its revision, as {@code
   * UID/7}. Whoever compares two of them learns whether another template was there in between: its
   * pods may have written by another key. Empty while a pod of another step or another template
   * exists. Whether pods are ready says nothing of what they use, and does not count.
   */
  static Optional<String> servers(Sighting seen, Authorities keys) {
    boolean areAlike =
        servers(seen)
                .map(pod -> pod.getMetadata().getLabels().get(Rollout.TEMPLATE_HASH))
                .distinct()
                .count()
            <= 1;
    return keys.encryptionKey().isPresent() && areAlike && usesOnly(seen, keys.epochs())
        ? deployment(seen, ControlPlaneNames.API_SERVER)
            .flatMap(
                d -> Rollout.revision(d).map(revision -> d.getMetadata().getUid() + "/" + revision))
        : Optional.empty();
  }

  /**
   * Whether every kube-apiserver that is there uses the file of the present step. One that ends
   * still writes, and what it writes by the old key would be lost with that key; no count of a
   * Deployment has it.
   */
  private static boolean usesOnly(Sighting seen, RotationEpochs epochs) {
    String file = epochs.encryption().orElse("");
    return deployment(seen, ControlPlaneNames.API_SERVER)
            .filter(d -> ApiServerFlags.encryptionFile(d.getSpec().getTemplate()).equals(file))
            .isPresent()
        && servers(seen).allMatch(pod -> ApiServerFlags.encryptionFile(pod.getSpec()).equals(file));
  }

  /** The pods of kube-apiservers, also those that end. */
  private static Stream<Pod> servers(Sighting seen) {
    return seen.pods().stream()
        .filter(
            pod ->
                ControlPlaneNames.isOf(
                    ControlPlaneNames.API_SERVER, pod.getMetadata().getLabels()));
  }

  private static Optional<Deployment> deployment(Sighting seen, String component) {
    String name = seen.sized().controlPlane().names().component(component);
    return seen.deployments().stream()
        .filter(d -> d.getMetadata().getName().equals(name))
        .findFirst();
  }

  /**
   * A pool replaces its roots whenever the Secret with their credentials changes, and stops
   * progressing anew after each step of the CA. The step in which only servers take another
   * certificate changes that Secret, too.
   */
  private static boolean follows(SchedulerPool pool, Authorities keys) {
    if (keys.caKey().step() == 0) {
      return true;
    }
    return pool.getStatus() != null
        && pool.getStatus().conditions() != null
        && pool.getStatus().conditions().stream()
            .filter(condition -> condition.type().equals(PoolCondition.Progressing.name()))
            .filter(condition -> condition.status().equals(Condition.FALSE))
            .anyMatch(
                condition ->
                    !Instant.parse(condition.lastTransitionTime()).isBefore(keys.caKey().since()));
  }
}

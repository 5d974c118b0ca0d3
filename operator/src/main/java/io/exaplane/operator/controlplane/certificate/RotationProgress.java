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
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which components do not run with the present steps of rotations yet. Pure. */
final class RotationProgress {
  private RotationProgress() {}

  /** Their names, in the order in which they are replaced. */
  static List<String> remaining(Sighting seen, Authorities keys) {
    RotationEpochs epochs = keys.epochs();
    List<String> remaining = new ArrayList<>();
    add(remaining, seen, ControlPlaneNames.API_SERVER, epochs.apiServer());
    if (keys.encryptionKey().isPresent() && remaining.isEmpty() && !readsOnly(seen, epochs)) {
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
    String name = seen.sized().controlPlane().names().component(component);
    Optional<Deployment> deployment =
        seen.deployments().stream().filter(d -> d.getMetadata().getName().equals(name)).findFirst();
    if (deployment
        .filter(d -> Rollout.isComplete(d) && Rollout.rotationEpoch(d).equals(epoch))
        .isEmpty()) {
      remaining.add(name);
    }
  }

  /**
   * Whether every kube-apiserver that is there reads the file of the present step. One that ends
   * still writes, and what it writes by the old key would be lost with that key; no count of a
   * Deployment has it.
   */
  private static boolean readsOnly(Sighting seen, RotationEpochs epochs) {
    String name = seen.sized().controlPlane().names().component(ControlPlaneNames.API_SERVER);
    return seen.deployments().stream()
            .filter(d -> d.getMetadata().getName().equals(name))
            .allMatch(
                d ->
                    ApiServerFlags.encryptionFile(d.getSpec().getTemplate())
                        .equals(epochs.encryption().orElse("")))
        && seen.pods().stream()
            .filter(
                pod ->
                    ControlPlaneNames.isOf(
                        ControlPlaneNames.API_SERVER, pod.getMetadata().getLabels()))
            .allMatch(pod -> Rollout.rotationEpoch(pod).equals(epochs.apiServer()));
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

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import io.exaplane.api.v1alpha1.TaskComponent;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.order.TaskOrders.Restart;
import io.exaplane.operator.rollout.Rollout;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Map;
import java.util.Optional;

/**
 * What a component's pods carry of the task that restarted them last. It stays when the task is
 * gone, since another one would replace the pods again. A task that is deleted on the way takes its
 * token back: the pods that it did not reach are then of the template again. Pure.
 *
 * @param token on the pods; "" before any
 * @param before the token of before that, on the Deployment; "" for none
 */
record RestartToken(String token, String before) {
  /** On a Deployment: which token its pods had before the present one. */
  static final String BEFORE = "exaplane.io/restarted-before";

  /** The component of a task, by the name that objects have. */
  private static final Map<String, TaskComponent> COMPONENTS =
      Map.of(
          ControlPlaneNames.API_SERVER,
          TaskComponent.KubeAPIServer,
          ControlPlaneNames.CONTROLLER_MANAGER,
          TaskComponent.KubeControllerManager,
          ControlPlaneNames.SCHEDULER,
          TaskComponent.KubeScheduler);

  static RestartToken of(TaskOrders orders, String component, Optional<Deployment> existing) {
    String now = existing.map(Rollout::restartedAt).orElse("");
    String before = existing.map(RestartToken::before).orElse("");
    Optional<Restart> order = orders.restart(COMPONENTS.get(component));
    if (existing.isEmpty() || order.isEmpty()) {
      return new RestartToken(now, before);
    }
    boolean there = order.get().token().equals(now);
    if (order.get().cancelled()) {
      boolean takesBack = there && !existing.filter(Rollout::isComplete).isPresent();
      return takesBack ? new RestartToken(before, "") : new RestartToken(now, before);
    }
    return new RestartToken(order.get().token(), there ? before : now);
  }

  private static String before(Deployment deployment) {
    Map<String, String> annotations = deployment.getMetadata().getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(BEFORE, "");
  }
}

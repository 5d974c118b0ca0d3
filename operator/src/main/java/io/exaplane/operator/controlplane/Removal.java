// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.retention.Settlement;
import io.exaplane.operator.controlplane.status.LifecycleStatus;
import io.exaplane.operator.dependent.Finalizers;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.outcome.Refusals;
import io.exaplane.operator.status.EventRecorder;
import io.exaplane.operator.status.News;
import io.exaplane.operator.status.StatusWriter;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Removes a control plane: the components first, then the stores, then the object itself. It asks
 * only the management API, so that a hosted API or store that is gone holds nothing up, and it
 * waits a bounded time: what is left then goes with its owner, except for data that is to be kept.
 * Thread-safe: keeps nothing.
 */
@ApplicationScoped
class Removal {
  private static final Logger LOG = Logger.getLogger(Removal.class);
  private static final Duration REFUSED = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Set<String> BAD = Set.of(ConditionType.Deleting.name());

  private final StatusWriter<ControlPlaneStatus, ControlPlane> statuses;
  private final EventRecorder events;
  private final Clock clock;

  Removal(EventRecorder events, Clock clock) {
    this.events = events;
    this.statuses = new StatusWriter<>(ControlPlane::new, BAD, events);
    this.clock = clock;
  }

  DeleteControl proceed(ControlPlane controlPlane, KubernetesClient client) {
    List<String> left;
    boolean ends;
    try {
      List<String> moving = moving(controlPlane, client);
      if (!moving.isEmpty()) {
        tell(controlPlane, LifecycleStatus.moving(controlPlane, moving, clock), client);
        return DeleteControl.noFinalizerRemoval().rescheduleAfter(POLL.toMillis());
      }
      left = remove(controlPlane, client);
      ends = left.isEmpty() || isOver(controlPlane, client);
    } catch (KubernetesClientException e) {
      tell(controlPlane, LifecycleStatus.removing(controlPlane, Refusals.of(e), clock), client);
      return DeleteControl.noFinalizerRemoval().rescheduleAfter(REFUSED.toMillis());
    }
    if (ends) {
      return DeleteControl.defaultDelete();
    }
    LifecycleStatus removing = LifecycleStatus.removing(controlPlane, left, clock);
    tell(controlPlane, removing, client);
    return DeleteControl.noFinalizerRemoval().rescheduleAfter(POLL.toMillis());
  }

  /**
   * Takes the operator's finalizer away, which ends the control plane; an Event tells of data that
   * stays. The SDK would do the same, and keep a refusal to itself.
   */
  DeleteControl letGo(ControlPlane controlPlane, String finalizer, KubernetesClient client) {
    DeleteControl done = DeleteControl.noFinalizerRemoval();
    try {
      Optional<String> left = Settlement.left(controlPlane, client);
      Finalizers.remove(controlPlane, finalizer, client);
      left.ifPresent(what -> events.tell(controlPlane, new News(false, Reason.DataRetained, what)));
      return done;
    } catch (KubernetesClientException e) {
      Refusal refusal = Refusals.of(e);
      if (refusal.passes()) {
        return done.rescheduleAfter(POLL.toMillis());
      }
      tell(controlPlane, LifecycleStatus.removing(controlPlane, refusal, clock), client);
      return done.rescheduleAfter(REFUSED.toMillis());
    }
  }

  /** Whether the rest may go with its owner: never a claim whose data is to be kept. */
  private boolean isOver(ControlPlane controlPlane, KubernetesClient client) {
    Instant asked = Instant.parse(controlPlane.getMetadata().getDeletionTimestamp());
    return clock.instant().isAfter(asked.plus(PATIENCE))
        && !Settlement.isEndangered(controlPlane, client);
  }

  /** Tasks that take a move back, or end it, while all stores serve; each tells the way out. */
  private static List<String> moving(ControlPlane controlPlane, KubernetesClient client) {
    return client
        .resources(ControlPlaneTask.class)
        .inNamespace(controlPlane.getMetadata().getNamespace())
        .list()
        .getItems()
        .stream()
        .filter(task -> TaskOrders.holdsRemoval(task, controlPlane))
        .map(task -> task.getMetadata().getName())
        .sorted()
        .toList();
  }

  /** A status that is refused holds the removal up no more than an Event does. */
  private void tell(ControlPlane controlPlane, LifecycleStatus removing, KubernetesClient client) {
    if (removing.status().equals(controlPlane.getStatus())) {
      return;
    }
    try {
      client
          .resource(statuses.patch(controlPlane, removing.status()))
          .subresource("status")
          .patch(
              new PatchContext.Builder()
                  .withPatchType(PatchType.SERVER_SIDE_APPLY)
                  .withFieldManager(ControlPlaneReconciler.NAME)
                  .withForce(true)
                  .build());
      // Of a status that is not there nobody is told: the next look would tell it again.
      events.conditionsChanged(controlPlane, removing.changes(), BAD);
    } catch (KubernetesClientException e) {
      LOG.infof("%s", Refusals.of(e).text());
    }
  }

  /** Deletes what comes next and names what is still there. */
  private static List<String> remove(ControlPlane controlPlane, KubernetesClient client) {
    String namespace = controlPlane.getMetadata().getNamespace();
    Map<String, String> labels =
        Map.of(ControlPlaneNames.CONTROL_PLANE_LABEL, controlPlane.getMetadata().getName());
    List<StoreShard> shards =
        client
            .resources(StoreShard.class)
            .inNamespace(namespace)
            .withLabels(labels)
            .list()
            .getItems();
    List<String> unsettled = Settlement.settle(controlPlane, shards, client);
    List<Deployment> deployments =
        client.apps().deployments().inNamespace(namespace).withLabels(labels).list().getItems();
    if (!deployments.isEmpty()) {
      delete(deployments, client);
      return named(deployments);
    }
    if (!unsettled.isEmpty()) {
      return unsettled;
    }
    if (!shards.isEmpty()) {
      allow(shards, client);
      delete(shards, client);
      return named(shards);
    }
    return named(Settlement.going(controlPlane, client));
  }

  /** Who deletes a store says so first, and so does the operator. */
  private static void allow(List<StoreShard> shards, KubernetesClient client) {
    shards.stream()
        .filter(shard -> shard.getMetadata().getDeletionTimestamp() == null)
        .filter(shard -> !StoreNames.mayBeDeleted(shard))
        .forEach(
            shard ->
                client
                    .resource(shard)
                    .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}"
                            .formatted(Names.ALLOW_DELETION, shard.getMetadata().getName())));
  }

  private static void delete(List<? extends HasMetadata> objects, KubernetesClient client) {
    objects.stream()
        .filter(object -> object.getMetadata().getDeletionTimestamp() == null)
        .forEach(
            object ->
                client
                    .resource(object)
                    .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                    .delete());
  }

  private static List<String> named(List<? extends HasMetadata> objects) {
    return Stream.of(objects)
        .flatMap(List::stream)
        .map(object -> object.getKind() + " " + object.getMetadata().getName())
        .sorted()
        .toList();
  }
}

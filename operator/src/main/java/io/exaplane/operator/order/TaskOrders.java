// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.order;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.ControlPlaneTaskStatus;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.RotationSpec;
import io.exaplane.api.v1alpha1.RotationWish;
import io.exaplane.api.v1alpha1.StorageDeletion;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.TaskComponent;
import io.exaplane.api.v1alpha1.TaskCredential;
import io.exaplane.api.v1alpha1.TaskMove;
import io.exaplane.api.v1alpha1.TaskState;
import io.exaplane.api.v1alpha1.TaskStep;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the running tasks of one control plane ask of it. The spec comes before: where it asks for
 * the same, the task ends. Immutable.
 *
 * @param restarts the pods that are to be replaced
 * @param rotation the phases that rotations are to reach
 * @param leavesSince leaf certificates of before are issued again
 * @param leaders names of the tasks that those rotations come from
 * @param moves the resources that move
 */
public record TaskOrders(
    List<Restart> restarts,
    RotationSpec rotation,
    Optional<Instant> leavesSince,
    Map<TaskCredential, String> leaders,
    List<Move> moves) {
  public static final TaskOrders NONE =
      new TaskOrders(List.of(), new RotationSpec(null, null), Optional.empty());

  /** Without names of tasks. */
  public TaskOrders(List<Restart> restarts, RotationSpec rotation, Optional<Instant> leavesSince) {
    this(restarts, rotation, leavesSince, Map.of(), List.of());
  }

  /**
   * A resource that moves to another store.
   *
   * @param fromStore name of the store that had the resource when the task began
   * @param toStore name of the store that gets the resource
   * @param routed whether kube-apiservers are to reach the resource by its Service
   * @param selected name of the store that the Service leads to now
   * @param mark what {@code spec.storage.movedBy} says once the resource has moved
   */
  public record Move(
      ResourceRef resource,
      String fromStore,
      String toStore,
      boolean routed,
      String selected,
      String mark) {}

  /**
   * Pods that are to be replaced.
   *
   * @param store name of the store; null for a component
   * @param token stands for the task on the pods; another one replaces them
   * @param cancelled whether the task is being deleted: nothing more is replaced
   */
  public record Restart(TaskComponent component, String store, String token, boolean cancelled) {}

  /** Of the tasks that name a control plane. */
  public static TaskOrders of(ControlPlane controlPlane, Collection<ControlPlaneTask> tasks) {
    List<ControlPlaneTask> running =
        tasks.stream()
            .filter(task -> isRunning(task, controlPlane))
            .sorted(Comparator.comparing(task -> task.getMetadata().getName()))
            .toList();
    if (running.isEmpty()) {
      return NONE;
    }
    return new TaskOrders(
        running.stream()
            .filter(task -> task.getSpec().restart() != null)
            .map(TaskOrders::restart)
            .toList(),
        new RotationSpec(
            wish(running, TaskCredential.CA),
            wish(running, TaskCredential.ServiceAccountKey),
            wish(running, TaskCredential.EncryptionKey)),
        running.stream()
            .filter(task -> rotates(task, TaskCredential.Leaves) && !isDeleted(task))
            .map(task -> Instant.parse(task.getStatus().startedAt()))
            .max(Comparator.naturalOrder()),
        running.stream()
            .filter(task -> task.getSpec().rotate() != null && !isDeleted(task))
            .filter(task -> task.getSpec().rotate().credential().isLongLived())
            .collect(
                Collectors.toUnmodifiableMap(
                    task -> task.getSpec().rotate().credential(),
                    task -> task.getMetadata().getName(),
                    (first, _) -> first)),
        running.stream()
            .filter(task -> task.getSpec().reshard() != null)
            .flatMap(task -> moves(task, controlPlane))
            .toList());
  }

  /** Of a task that has told where its resources were; before that, it asks for nothing. */
  private static Stream<Move> moves(ControlPlaneTask task, ControlPlane controlPlane) {
    List<TaskMove> moves = task.getStatus().moves();
    if (moves == null) {
      return Stream.empty();
    }
    TaskStep step = task.getStatus().step();
    String toStore = task.getSpec().reshard().toStore();
    Optional<TaskMove> current =
        moves.stream().filter(move -> !isDone(move, task, controlPlane)).findFirst();
    return moves.stream()
        .map(
            move ->
                new Move(
                    move.resource(),
                    move.fromStore(),
                    toStore,
                    step != null && step != TaskStep.PrepareRoute && !isDeleted(task),
                    isDone(move, task, controlPlane)
                            || step == TaskStep.SwitchRoute
                                && current.filter(move::equals).isPresent()
                        ? toStore
                        : move.fromStore(),
                    mark(task, move.resource())));
  }

  /** Whether the spec leads a resource to its new store: a move writes the routes down. */
  public static boolean isDone(TaskMove move, ControlPlaneTask task, ControlPlane controlPlane) {
    StorageSpec storage = controlPlane.getSpec().storage();
    return StorageSpec.isExplicit(storage)
        && StorageSpec.storeOf(StorageSpec.routes(storage), move.resource())
            .equals(task.getSpec().reshard().toStore());
  }

  /**
   * Whether a task has to take a move back, or to end it, before its control plane removes
   * anything: else keys of a Kind would be in two stores whose data is kept.
   */
  public static boolean holdsRemoval(ControlPlaneTask task, ControlPlane controlPlane) {
    return task.getSpec().reshard() != null
        && isRunning(task, controlPlane)
        && (task.getStatus().step() == TaskStep.CopyKeys
            || task.getStatus().step() == TaskStep.SwitchRoute)
        && StorageSpec.deletion(controlPlane.getSpec().storage()) == StorageDeletion.Retain;
  }

  /** What {@code spec.storage.movedBy} says of a resource that a task has moved. */
  public static String mark(ControlPlaneTask task, ResourceRef resource) {
    return "%s %s %s"
        .formatted(task.getMetadata().getName(), task.getMetadata().getUid(), resource);
  }

  /** The resources that kube-apiservers are to reach by their Services, because of tasks. */
  public List<ResourceRef> routed() {
    return moves.stream().filter(Move::routed).map(Move::resource).toList();
  }

  /**
   * Name of the store that the Service of a resource leads to.
   *
   * @param storage the stores and routes in force
   */
  public String selected(ResourceRef resource, StorageSpec storage) {
    return moves.stream()
        .filter(move -> move.resource().equals(resource))
        .map(Move::selected)
        .findFirst()
        .orElseGet(() -> StorageSpec.storeOf(StorageSpec.routes(storage), resource));
  }

  /** A task of a control plane of the same name that was removed asks nothing of this one. */
  private static boolean isRunning(ControlPlaneTask task, ControlPlane controlPlane) {
    ControlPlaneTaskStatus status = task.getStatus();
    return status != null
        && status.state() == TaskState.Running
        && status.startedAt() != null
        && task.hasOwnerReferenceFor(controlPlane);
  }

  private static boolean isDeleted(ControlPlaneTask task) {
    return task.getMetadata().getDeletionTimestamp() != null;
  }

  private static Restart restart(ControlPlaneTask task) {
    return new Restart(
        task.getSpec().restart().component(),
        task.getSpec().restart().store(),
        token(task),
        isDeleted(task));
  }

  /** What a task that restarts something puts on the pods. */
  public static String token(ControlPlaneTask task) {
    return task.getStatus().startedAt();
  }

  private static boolean rotates(ControlPlaneTask task, TaskCredential credential) {
    return task.getSpec().rotate() != null && task.getSpec().rotate().credential() == credential;
  }

  private static RotationWish wish(List<ControlPlaneTask> running, TaskCredential credential) {
    return running.stream()
        .filter(task -> rotates(task, credential) && !isDeleted(task))
        .map(
            task ->
                task.getStatus().step() == TaskStep.Complete
                    ? RotationWish.Complete
                    : RotationWish.Prepare)
        .findFirst()
        .orElse(null);
  }

  /** What is asked of rotations: the spec's wishes, and the tasks' where it has none. */
  public RotationSpec rotation(RotationSpec spec) {
    return new RotationSpec(
        spec.ca() == null ? rotation.ca() : spec.ca(),
        spec.serviceAccountKey() == null ? rotation.serviceAccountKey() : spec.serviceAccountKey(),
        spec.encryptionKey() == null ? rotation.encryptionKey() : spec.encryptionKey());
  }

  /** The task that leads a rotation, unless the spec does. */
  public Optional<String> leader(RotationSpec spec, TaskCredential credential) {
    return spec.wish(credential) != null
        ? Optional.empty()
        : Optional.ofNullable(leaders.get(credential));
  }

  /** The order for a component, if there is one. */
  public Optional<Restart> restart(TaskComponent component) {
    return restarts.stream().filter(order -> order.component() == component).findFirst();
  }

  /** The order for a store that is still to be carried out. */
  public Optional<Restart> restartOfStore(String store) {
    return restarts.stream()
        .filter(order -> order.component() == TaskComponent.Store && store.equals(order.store()))
        .filter(order -> !order.cancelled())
        .findFirst();
  }
}

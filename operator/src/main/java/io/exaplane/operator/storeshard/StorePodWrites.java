// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.storeshard.data.GuardReport;
import io.exaplane.operator.storeshard.dependent.StoreRecord;
import io.exaplane.operator.storeshard.restart.RestartRequest;
import io.exaplane.operator.storeshard.set.OwnSet;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.Optional;
import org.jboss.logging.Logger;

/** What the operator does to a store's pod itself, and not by its StatefulSet. Keeps nothing. */
final class StorePodWrites {
  private static final Logger LOG = Logger.getLogger(StorePodWrites.class);

  private StorePodWrites() {}

  /** A pod whose data would go with the pod takes the new image in its container. */
  static void restartInPlace(StoreShard shard, boolean moves, Context<StoreShard> context) {
    Optional<Pod> pod =
        context
            .getSecondaryResource(Pod.class)
            .filter(any -> any.getMetadata().getDeletionTimestamp() == null);
    RestartRequest.inPlace(shard, moves, OwnSet.of(shard, context), pod)
        .ifPresent(
            image -> {
              LOG.infof(
                  "store %s: pod %s takes the image %s in place",
                  shard.getMetadata().getName(), pod.get().getMetadata().getName(), image);
              Pod changed = new PodBuilder(pod.get()).build();
              Container container = changed.getSpec().getContainers().getFirst();
              if (!image.equals(container.getImage())) {
                changed
                    .getMetadata()
                    .getAnnotations()
                    .put(RestartRequest.RESTARTS_BEFORE, RestartRequest.restarts(changed));
              }
              container.setImage(image);
              if (shard.getSpec().restartedAt() != null) {
                changed
                    .getMetadata()
                    .getAnnotations()
                    .put(RestartRequest.ANNOTATION, shard.getSpec().restartedAt());
              }
              context.getClient().pods().resource(changed).patch();
            });
  }

  /** Replaces a pod that is held when its successor may start with what it finds. */
  static void release(StoreShard shard, Context<StoreShard> context) {
    StoreShardStatus status = shard.getStatus();
    boolean accepted =
        status != null && status.dataLoss() != null && status.dataLoss().wasAccepted();
    if (!accepted || StoreRecord.of(shard, context).filter(StoreRecord::accepts).isEmpty()) {
      return;
    }
    context
        .getSecondaryResource(Pod.class)
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .filter(pod -> GuardReport.of(pod).filter(report -> report.dataId() == null).isPresent())
        .ifPresent(
            pod -> {
              LOG.infof(
                  "store %s: the loss %s was accepted; pod %s is replaced",
                  shard.getMetadata().getName(),
                  status.dataLoss().incident(),
                  pod.getMetadata().getName());
              context
                  .getClient()
                  .pods()
                  .resource(pod)
                  .lockResourceVersion(pod.getMetadata().getResourceVersion())
                  .delete();
            });
  }
}

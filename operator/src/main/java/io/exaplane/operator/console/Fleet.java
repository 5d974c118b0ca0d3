// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.hosted.LiveLists;
import io.exaplane.operator.schedulerpool.hosted.LiveTree;
import io.exaplane.operator.storeshard.usage.LiveStore;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What pages show, as the informers hold it. Nobody changes the objects. Implementations are
 * thread-safe, and never ask an API server.
 */
interface Fleet {
  /** All control planes. */
  Stream<ControlPlane> planes();

  /** All stores. */
  Stream<StoreShard> stores();

  /** All distributed schedulers. */
  Stream<SchedulerPool> schedulers();

  /** All pools of nodes. */
  Stream<NodePool> nodePools();

  /** All tasks. */
  Stream<ControlPlaneTask> tasks();

  /** The model's values for a control plane with their grounds, as YAML. */
  Optional<String> tuning(ControlPlane plane);

  /** What a store said when it was last asked. */
  Optional<LiveStore> live(StoreShard store);

  /** Who was slow in the tree of a distributed scheduler when its root was last asked. */
  Optional<LiveTree> tree(SchedulerPool pool);

  /** What LISTs cost the kube-apiservers of a control plane when they were last asked. */
  Optional<LiveLists> lists(ControlPlane plane);
}

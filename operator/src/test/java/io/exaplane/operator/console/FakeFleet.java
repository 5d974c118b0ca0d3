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
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Objects of a test. */
final class FakeFleet implements Fleet {
  final List<ControlPlane> planes = new ArrayList<>();
  final List<StoreShard> stores = new ArrayList<>();
  Optional<String> tuning = Optional.empty();
  final List<SchedulerPool> schedulers = new ArrayList<>();
  Optional<LiveStore> live = Optional.empty();
  Optional<LiveTree> tree = Optional.empty();
  Optional<LiveLists> lists = Optional.empty();

  /** A control plane whose condition Available has a status. */
  static ControlPlane plane(String namespace, String name, String available) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: ControlPlane
        metadata: {namespace: %1$s, name: %2$s, uid: %1$s-%2$s, resourceVersion: "1"}
        spec: {version: 1.37.2}
        status:
          conditions:
          - {type: Available, status: "%3$s", reason: R, message: "Words <b>of</b> %2$s.", lastTransitionTime: "2026-11-28T10:00:00Z"}
        """
            .formatted(namespace, name, available),
        ControlPlane.class);
  }

  @Override
  public Stream<ControlPlane> planes() {
    return planes.stream();
  }

  @Override
  public Stream<StoreShard> stores() {
    return stores.stream();
  }

  @Override
  public Stream<SchedulerPool> schedulers() {
    return schedulers.stream();
  }

  @Override
  public Stream<NodePool> nodePools() {
    return Stream.empty();
  }

  @Override
  public Stream<ControlPlaneTask> tasks() {
    return Stream.empty();
  }

  @Override
  public Optional<String> tuning(ControlPlane plane) {
    return tuning;
  }

  @Override
  public Optional<LiveStore> live(StoreShard store) {
    return live;
  }

  @Override
  public Optional<LiveTree> tree(SchedulerPool pool) {
    return tree;
  }

  @Override
  public Optional<LiveLists> lists(ControlPlane plane) {
    return lists;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.cli.fleet.Changes;
import io.exaplane.cli.fleet.Fleet;
import io.exaplane.cli.fleet.FleetNames;
import io.exaplane.cli.fleet.Times;
import io.exaplane.testbed.machine.Kubernetes;
import java.time.Duration;

/**
 * Some control planes have an endpoint that swallows packets. The others must not notice: a change
 * of each is reconciled as soon as before. Used by one thread.
 */
final class CutOff {
  private static final double PER_SECOND = 10;

  private final Management cluster;
  private final Watch watch;
  private final FleetNames names;

  CutOff(Management cluster, Watch watch, int first, int count) {
    this.cluster = cluster;
    this.watch = watch;
    this.names = new FleetNames("fleet", "cut-off", first, count);
  }

  /**
   * Measures at the others before, creates those that are cut off, and measures again: each change
   * is reconciled within the patience. The figures are printed; a busy machine decides nothing.
   */
  void delaysNobody(Fleet others, FleetNames otherNames, Duration patience) throws Exception {
    Changes changes = new Changes(others, patience);
    Times before = round(changes, 1, otherNames);
    try (BlackHole _ = BlackHole.of(Management.SERVICES);
        Fleet fleet = new Fleet(cluster.client(), names)) {
      fleet.createNamespaces();
      fleet.create(Kubernetes.version());
      try (ReadyPods _ = new ReadyPods(cluster.client(), names.namespaces())) {
        watch.until("each endpoint that swallows packets is asked", this::areAsked);
        Times with = round(changes, 2, otherNames);
        System.out.printf(
            "change reconciled, p50 and p99 of %d: %.2f s, %.2f s; beside %d whose endpoint swallows packets: %.2f s, %.2f s%n",
            before.count(), before.p50(), before.p99(), names.count(), with.p50(), with.p99());
      }
      fleet.delete();
      watch.until("those that are cut off are gone", () -> fleet.left() == 0);
    }
  }

  private static Times round(Changes changes, int number, FleetNames names) {
    return Times.of(changes.run(Changes.SMALLEST, number, PER_SECOND, names.namespaces()));
  }

  /** Their servers are ready as far as Kubernetes knows, and do not answer. */
  private boolean areAsked() {
    return cluster
            .client()
            .resources(ControlPlane.class)
            .inAnyNamespace()
            .withLabel(FleetNames.LABEL, names.run())
            .list()
            .getItems()
            .stream()
            .filter(each -> is(each, ConditionType.APIServerAvailable, Condition.TRUE))
            .filter(each -> is(each, ConditionType.Available, Condition.FALSE))
            .count()
        == names.count();
  }

  private static boolean is(ControlPlane controlPlane, ConditionType type, String status) {
    return controlPlane.getStatus() != null
        && controlPlane.getStatus().conditions() != null
        && controlPlane.getStatus().conditions().stream()
            .filter(condition -> condition.type().equals(type.name()))
            .anyMatch(condition -> condition.status().equals(status));
  }
}

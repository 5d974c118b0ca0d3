// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.plugin.Profile;
import java.util.Map;
import java.util.Set;

/** An empty cluster with the queue of one scheduler, and what objects go through. */
record QueueBed(Cluster cluster, SchedulingQueue queue, Intake intake, ObjectReader reader) {
  static final long SECOND = 1_000_000_000L;
  static final long PATIENCE = 300 * SECOND;

  static QueueBed of(Profile profile) {
    Cluster cluster = new Cluster();
    SchedulingQueue queue =
        new SchedulingQueue(
            Map.of(profile.schedulerName(), Rules.of(profile, cluster)), Backoff.DEFAULT, PATIENCE);
    Intake intake = new Intake(cluster, queue, Set.of(profile.schedulerName()));
    return new QueueBed(
        cluster, queue, intake, new ObjectReader(cluster, intake, profile.version()));
  }
}

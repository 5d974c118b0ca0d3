// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

/**
 * A Service, ReplicationController, ReplicaSet or StatefulSet: pods that belong together, which
 * kube-scheduler spreads by default.
 *
 * @param selector the pods; a Service without one selects nothing
 */
public record Workload(String kind, String namespace, String name, LabelSelector selector) {
  public static final String SERVICE = "Service";
}

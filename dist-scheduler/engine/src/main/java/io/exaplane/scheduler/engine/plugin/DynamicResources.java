// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.device.Allocator;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.Version;

/**
 * Devices for pods that claim them, or ask for extended resources that devices stand for.
 *
 * @param bindingTimeoutNs how long devices may take to get ready
 */
public record DynamicResources(Version version, long bindingTimeoutNs) implements Plugin {
  /** As in events. */
  public static final String NAME = "DynamicResources";

  /** Of a request (FirstAvailableDeviceRequestMaxSize). */
  static final int MOST_ALTERNATIVES = 8;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Filter filter(PodClass pods, Cluster cluster) {
    PodSpec pod = pods.spec();
    return pod.claims().isEmpty() && !mayNeedDevices(pod, cluster)
        ? null
        : new DeviceFilter(pod, cluster, version, bindingTimeoutNs);
  }

  private boolean mayNeedDevices(PodSpec pod, Cluster cluster) {
    return version.atLeast(Version.V1_36)
        && pod.requests().toFit().scalars().keySet().stream()
            .anyMatch(name -> cluster.surroundings().classOfResource(name) != null);
  }

  /** What finds devices in a cluster; there is one. */
  static Allocator allocator(Cluster cluster, Version version) {
    return cluster
        .devices()
        .keep(
            Allocator.class,
            () -> new Allocator(cluster.devices(), cluster.surroundings(), version));
  }

  /**
   * For pods without claims: to them every node is worth the same. It is a score plugin from 1.35
   * on.
   */
  @Override
  public Scorer scorer(PodClass pods, Cluster cluster) {
    if (!version.atLeast(Version.V1_35)) {
      return null;
    }
    return new Scorer(NAME) {
      @Override
      public Scope scope() {
        return Scope.NODE;
      }

      @Override
      public long score(int node) {
        return 0;
      }
    };
  }
}

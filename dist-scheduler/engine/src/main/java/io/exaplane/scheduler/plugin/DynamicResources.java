// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.plugin;

import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.PodClass;
import io.exaplane.scheduler.model.Version;

/**
 * Devices for pods that claim them. Pods with claims are not supported yet; to all others every
 * node is worth the same.
 */
public record DynamicResources(Version version) implements Plugin {
  private static final String NAME = "DynamicResources";

  @Override
  public String name() {
    return NAME;
  }

  /** It is a score plugin from 1.35 on. */
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

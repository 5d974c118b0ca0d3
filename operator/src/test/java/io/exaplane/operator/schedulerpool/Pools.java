// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.bundle.Updates;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.schedulerpool.render.PoolInputs;
import io.exaplane.operator.schedulerpool.render.PoolTemplates;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Pools for tests. */
public final class Pools {
  private Pools() {}

  /** A pool of the control plane demo with this in its spec, in YAML's flow form. */
  public static SchedulerPool pool(String spec) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: SchedulerPool
        metadata: {name: p, namespace: ns, uid: u, generation: 1, creationTimestamp: "2026-01-01T00:00:00Z"}
        spec: {controlPlaneRef: {name: demo}, %s}
        """
            .formatted(spec),
        SchedulerPool.class);
  }

  /** What its objects are made from, with an operator that has this image of the scheduler. */
  public static PoolInputs inputs(SchedulerPool pool, String image, boolean fallback) {
    PoolNames names = new PoolNames(pool);
    Map<String, String> addresses = new TreeMap<>();
    for (Tier tier : new Tier[] {Tier.ROOT, Tier.RELAY}) {
      int number = 0;
      for (String member : names.members(tier, tier.replicas(pool.getSpec()))) {
        addresses.put(member, "fd00::" + tier.ordinal() + number++);
      }
    }
    return new PoolInputs(
        pool,
        new Images(new Configured(image), pool.getSpec().images()),
        "1.36.3",
        "demo-scheduler-pki",
        "e1",
        true,
        1000,
        30_000,
        addresses,
        fallback);
  }

  /** What this operator makes of it, with nothing pinned. */
  public static PoolTemplates templates(PoolInputs inputs) {
    return PoolTemplates.of(
        Updates.pins(), inputs, _ -> Optional.empty(), Optional::empty, () -> inputs);
  }

  private record Configured(String schedulerImage, Fixtures.Config others)
      implements io.exaplane.operator.config.OperatorConfig {
    Configured(String schedulerImage) {
      this(schedulerImage, new Fixtures.Config("operator:1"));
    }

    @Override
    public String imageRegistry() {
      return others.imageRegistry();
    }

    @Override
    public java.util.Optional<String> imagePullSecret() {
      return others.imagePullSecret();
    }

    @Override
    public String operatorImage() {
      return others.operatorImage();
    }

    @Override
    public String storeImage() {
      return others.storeImage();
    }

    @Override
    public String etcdTag() {
      return others.etcdTag();
    }
  }
}

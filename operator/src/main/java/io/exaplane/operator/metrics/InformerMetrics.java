// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.metrics;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodePoolCondition;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.api.v1alpha1.StoreShard;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What alerts need of all StoreShards and NodePools together, like {@link ControlPlaneMetrics}:
 * counted at each scrape in the caches of their informers, so that an object that goes is counted
 * no more. Until a cache is given, there are none. Thread-safe.
 */
@ApplicationScoped
@Startup
public class InformerMetrics {
  private static final List<String> STATUSES = List.of(Condition.TRUE, Condition.FALSE);

  private volatile Supplier<Stream<StoreShard>> shards = Stream::empty;
  private volatile Supplier<Stream<NodePool>> pools = Stream::empty;

  InformerMetrics(MeterRegistry registry) {
    for (StoreCondition type : StoreCondition.values()) {
      for (Criticality criticality : Criticality.values()) {
        register(
            registry,
            "exaplane.storeshard.conditions",
            "StoreShards whose condition has this status.",
            Tags.of("type", type.name(), "criticality", criticality.name()),
            status -> shards(type, criticality, status));
      }
    }
    for (NodePoolCondition type : NodePoolCondition.values()) {
      register(
          registry,
          "exaplane.nodepool.conditions",
          "NodePools whose condition has this status.",
          Tags.of("type", type.name()),
          status -> pools(type, status));
    }
  }

  /** Counts StoreShards there from now on. */
  public void countShards(Supplier<Stream<StoreShard>> cache) {
    shards = cache;
  }

  /** Counts NodePools there from now on. */
  public void countPools(Supplier<Stream<NodePool>> cache) {
    pools = cache;
  }

  private static void register(
      MeterRegistry registry,
      String name,
      String description,
      Tags tags,
      ToLongFunction<String> count) {
    for (String status : STATUSES) {
      Gauge.builder(name, () -> count.applyAsLong(status))
          .description(description)
          .tags(tags.and("status", status))
          .strongReference(true)
          .register(registry);
    }
  }

  private long shards(StoreCondition type, Criticality criticality, String status) {
    return shards
        .get()
        .filter(shard -> shard.getSpec().criticality() == criticality)
        .filter(shard -> shard.getStatus() != null && shard.getStatus().conditions() != null)
        .filter(shard -> shard.getStatus().conditions().stream().anyMatch(is(type, status)))
        .count();
  }

  private long pools(NodePoolCondition type, String status) {
    return pools
        .get()
        .filter(pool -> pool.getStatus() != null && pool.getStatus().conditions() != null)
        .filter(pool -> pool.getStatus().conditions().stream().anyMatch(is(type, status)))
        .count();
  }

  private static Predicate<Condition> is(Enum<?> type, String status) {
    return condition -> condition.type().equals(type.name()) && condition.status().equals(status);
  }
}

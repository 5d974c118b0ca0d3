// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.RolloutSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardSpec;
import io.exaplane.operator.bundle.MaintenanceWindow;
import io.exaplane.operator.bundle.Pins;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.config.OperatorBundle;
import io.exaplane.operator.config.OperatorConfig;
import io.exaplane.operator.dependent.Restored;
import io.exaplane.operator.install.Installed;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.storeshard.claim.ClaimGrowth;
import io.exaplane.operator.storeshard.claim.ClaimRecord;
import io.exaplane.operator.storeshard.set.OwnSet;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a store's pod is made of: what its bundle made, with what the user changed since. One answer
 * in each pass. Thread-safe: keeps nothing but in the pass.
 */
@ApplicationScoped
public class StorePins {
  private static final String KEY = StorePins.class.getName();
  private static final String SET = "StatefulSet/";

  private OperatorConfig config;
  private OperatorBundle bundle;
  private Installed installed;
  private Clock clock;

  /** For ArC, which makes proxies of beans. */
  StorePins() {}

  /** With these settings. */
  @Inject
  public StorePins(OperatorConfig config, OperatorBundle bundle, Installed installed, Clock clock) {
    this.clock = clock;
    this.config = config;
    this.bundle = bundle;
    this.installed = installed;
  }

  /**
   * What one pass applies.
   *
   * @param moves whether the pod is to be of the running operator's bundle
   */
  public record Pinned(StatefulSet set, Pins.Kept kept, Update update, boolean moves) {}

  /** That of this pass. */
  public Pinned of(StoreShard shard, Context<StoreShard> context) {
    var shared = context.managedWorkflowAndDependentResourceContext();
    // Dependents of a workflow come here beside each other.
    synchronized (context) {
      Optional<Pinned> there = shared.get(KEY, Pinned.class);
      if (there.isPresent()) {
        return there.get();
      }
      Pinned made = pin(shard, context);
      shared.put(KEY, made);
      return made;
    }
  }

  private Pinned pin(StoreShard shard, Context<StoreShard> context) {
    Pins pins =
        open(
            shard,
            bundle.name(),
            clock.instant(),
            context.getControllerConfiguration().fieldManager(),
            context
                .getSecondaryResourcesAsStream(ConfigMap.class)
                .filter(map -> map.getMetadata().getName().equals(StoreNames.bundle(shard)))
                .findFirst());
    boolean moves = pins.isMoving() && !pins.isMoved(SET + shard.getMetadata().getName());
    StatefulSet rendered = render(shard, moves, context);
    Optional<StatefulSet> there = OwnSet.of(shard, context);
    StatefulSet set =
        pin(
            pins,
            rendered,
            () ->
                Restored.find(
                    there.or(() -> context.getSecondaryResource(StatefulSet.class)),
                    rendered,
                    shard,
                    Restored.asking(context.getClient())),
            () ->
                pins.formerSpec(StoreShardSpec.class)
                    .map(
                        spec -> {
                          StoreShard before = new StoreShard();
                          before.setMetadata(shard.getMetadata());
                          before.setStatus(shard.getStatus());
                          before.setSpec(spec);
                          return render(before, moves, context);
                        })
                    .orElse(rendered));
    return new Pinned(set, pins.kept(pins.moved()), pins.update(), pins.isMoving());
  }

  static Pins open(
      StoreShard shard, String running, Instant now, String manager, Optional<ConfigMap> there) {
    return new Pins(
        new Pins.Owner(
            running,
            RolloutSpec.bundle(shard.getSpec().rollout()),
            MaintenanceWindow.of(shard.getSpec().maintenance(), now),
            shard.getStatus() == null ? null : shard.getStatus().bundle(),
            manager,
            StoreNames.bundle(shard)),
        there,
        shard.getSpec());
  }

  /** The StatefulSet with the template that is applied. */
  static StatefulSet pin(
      Pins pins,
      StatefulSet rendered,
      Supplier<Optional<StatefulSet>> there,
      Supplier<StatefulSet> former) {
    return new StatefulSetBuilder(rendered)
        .editSpec()
        .withTemplate(
            pins.apply(
                SET + rendered.getMetadata().getName(),
                rendered.getSpec().getTemplate(),
                () -> there.get().map(live -> new Pins.Live(live, "template", null)),
                pins.isMoving(),
                () -> former.get().getSpec().getTemplate()))
        .endSpec()
        .build();
  }

  private StatefulSet render(StoreShard shard, boolean moves, Context<StoreShard> context) {
    Images images = new Images(config, shard.getSpec().images());
    // One that was restored, or is of a store that was here before, keeps its kind of volume.
    Optional<StatefulSet> existing =
        OwnSet.of(shard, context).or(() -> context.getSecondaryResource(StatefulSet.class));
    // A pod that is there keeps the class that it has: the operator may see the class late.
    boolean hasClass =
        existing
            .filter(_ -> !moves)
            .map(set -> set.getSpec().getTemplate().getSpec().getPriorityClassName() != null)
            .orElseGet(installed::hasStorePriority);
    StoreShard usable =
        ClaimGrowth.usable(
            shard,
            existing,
            context
                .getSecondaryResourcesAsStream(PersistentVolumeClaim.class)
                .filter(claim -> claim.getMetadata().getName().equals(ClaimRecord.claim(shard)))
                .findFirst());
    return switch (shard.getSpec().engine()) {
      case Memory -> MemoryStatefulSet.render(usable, images, existing, hasClass);
      case Etcd -> EtcdStatefulSet.render(usable, images, existing, hasClass);
    };
  }
}

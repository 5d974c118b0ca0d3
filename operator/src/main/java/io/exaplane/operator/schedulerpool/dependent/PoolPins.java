// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.dependent;

import io.exaplane.api.v1alpha1.RolloutSpec;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolSpec;
import io.exaplane.operator.bundle.MaintenanceWindow;
import io.exaplane.operator.bundle.Pins;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.config.OperatorConfig;
import io.exaplane.operator.dependent.Restored;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.schedulerpool.render.PoolFallback;
import io.exaplane.operator.schedulerpool.render.PoolInputs;
import io.exaplane.operator.schedulerpool.render.PoolSets;
import io.exaplane.operator.schedulerpool.render.PoolTemplates;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one pass applies of a pool's pods. Immutable.
 *
 * @param sets in the order in which they are replaced
 * @param update what is told of it
 */
public record PoolPins(
    List<StatefulSet> sets, Optional<Deployment> standIn, Pins.Kept kept, Update update) {
  private static final String KEY = PoolPins.class.getName();

  /** What was kept, before this pass renders anything. */
  public static Pins open(
      SchedulerPool pool, String running, Instant now, Context<SchedulerPool> context) {
    String name = new PoolNames(pool).bundle();
    return open(
        pool,
        running,
        now,
        context.getControllerConfiguration().fieldManager(),
        context
            .getSecondaryResourcesAsStream(ConfigMap.class)
            .filter(map -> map.getMetadata().getName().equals(name))
            .findFirst());
  }

  static Pins open(
      SchedulerPool pool, String running, Instant now, String manager, Optional<ConfigMap> there) {
    return new Pins(
        new Pins.Owner(
            running,
            RolloutSpec.bundle(pool.getSpec().rollout()),
            MaintenanceWindow.of(pool.getSpec().maintenance(), now),
            pool.getStatus() == null ? null : pool.getStatus().bundle(),
            manager,
            new PoolNames(pool).bundle()),
        there,
        pool.getSpec());
  }

  /** Of one pass; nothing of a pool whose inputs are not complete. */
  public static Optional<PoolPins> of(
      Pins pins, PoolObserved observed, OperatorConfig config, Context<SchedulerPool> context) {
    return observed
        .completeInputs()
        .map(
            inputs -> {
              PoolTemplates templates =
                  PoolTemplates.of(
                      pins,
                      inputs,
                      name ->
                          Restored.find(
                              Optional.ofNullable(observed.sets().get(name)),
                              PoolSets.named(inputs, name),
                              observed.pool(),
                              Restored.asking(context.getClient())),
                      observed::fallback,
                      () ->
                          pins.formerSpec(SchedulerPoolSpec.class)
                              .map(spec -> former(inputs, spec, config))
                              .orElse(inputs));
              return new PoolPins(
                  PoolSets.of(inputs, templates, observed.sets()),
                  PoolFallback.of(inputs, templates).findFirst(),
                  pins.kept(pins.moved()),
                  pins.update());
            });
  }

  /** What this operator would make for the wishes of before, of what is there now. */
  private static PoolInputs former(PoolInputs now, SchedulerPoolSpec spec, OperatorConfig config) {
    SchedulerPool before = new SchedulerPool();
    before.setMetadata(now.pool().getMetadata());
    before.setStatus(now.pool().getStatus());
    before.setSpec(spec);
    return now.of(before, new Images(config, spec.images()));
  }

  /** Hands this over to the dependents of the same pass. */
  public void share(Context<SchedulerPool> context) {
    context.managedWorkflowAndDependentResourceContext().put(KEY, this);
  }

  /** What was handed over. */
  public static Optional<PoolPins> shared(Context<SchedulerPool> context) {
    return context.managedWorkflowAndDependentResourceContext().get(KEY, PoolPins.class);
  }
}

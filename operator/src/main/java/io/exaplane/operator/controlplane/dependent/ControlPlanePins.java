// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneRolloutSpec;
import io.exaplane.api.v1alpha1.RolloutSpec;
import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardSpec;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.bundle.MaintenanceWindow;
import io.exaplane.operator.bundle.Pins;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.RolloutViews;
import io.exaplane.operator.controlplane.observe.StoreTurns;
import io.exaplane.operator.controlplane.render.Components;
import io.exaplane.operator.controlplane.render.Inputs;
import io.exaplane.operator.controlplane.rollout.Told;
import io.exaplane.operator.controlplane.sizing.EffectiveControlPlane;
import io.exaplane.operator.dependent.Restored;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.rollout.Rollout;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What one pass applies of a control plane's pods: what its bundle made of them, with what the user
 * changed since. Stores come first, then kube-apiserver, then those that follow it. What comes out
 * never changes.
 */
public final class ControlPlanePins {
  private static final String KEY = ControlPlanePins.class.getName();
  private static final String DEPLOYMENT = "Deployment/";
  private static final String SHARD = "StoreShard/";

  private final List<StoreShard> shards = new ArrayList<>();
  private final Map<String, Deployment> deployments = new LinkedHashMap<>();
  private final BuiltInPins builtIns;
  private final SettledTemplates back;
  private final Pins pins;
  private final Observed observed;
  private final Supplier<Optional<Former>> former;
  private final UnaryOperator<HasMetadata> ask;
  private final Pins.Kept kept;
  private final String bundle;
  private final Update update;
  private final boolean waits;
  private boolean replacesPods;

  /**
   * What a control plane was made of for its former wishes.
   *
   * @param inputs there when those of now are complete
   */
  public record Former(EffectiveControlPlane controlPlane, Optional<Inputs> inputs) {}

  /** What was kept, before this pass renders anything. */
  public static Pins open(
      ControlPlane controlPlane, String running, Instant now, Context<ControlPlane> context) {
    return open(
        controlPlane,
        running,
        now,
        context.getControllerConfiguration().fieldManager(),
        context
            .getSecondaryResourcesAsStream(ConfigMap.class)
            .filter(
                map ->
                    map.getMetadata()
                        .getName()
                        .equals(new ControlPlaneNames(controlPlane).bundle()))
            .findFirst());
  }

  static Pins open(
      ControlPlane controlPlane,
      String running,
      Instant now,
      String manager,
      Optional<ConfigMap> there) {
    return new Pins(
        new Pins.Owner(
            running,
            ControlPlaneRolloutSpec.bundle(controlPlane.getSpec().rollout()),
            MaintenanceWindow.of(controlPlane.getSpec().maintenance(), now),
            controlPlane.getStatus() == null ? null : controlPlane.getStatus().bundle(),
            manager,
            new ControlPlaneNames(controlPlane).bundle()),
        there,
        controlPlane.getSpec());
  }

  /**
   * A Deployment as it is applied.
   *
   * @param template identity of its template
   * @param isBack whether that is the last one that settled, since the one of now did not
   */
  public record Rendered(String template, boolean isBack, int replicas) {}

  /**
   * Of one pass.
   *
   * @param former the wishes of before, when those of now are others
   * @param ask gives objects of the same kind and name, for those that were restored
   * @param waits whether pods that are there stay as they are, because other control planes roll
   */
  public ControlPlanePins(
      Pins pins,
      Observed observed,
      Supplier<Optional<Former>> former,
      UnaryOperator<HasMetadata> ask,
      boolean waits) {
    this.pins = pins;
    this.waits = waits;
    this.observed = observed;
    this.former = once(former);
    this.ask = ask;
    this.back = new SettledTemplates(pins, observed);
    Optional<String> asked = asked();
    StoreTurns turns = new StoreTurns(observed, asked, waits);
    replacesPods = turns.arePending(StorageSpec.stores(observed.controlPlane().spec().storage()));
    Set<String> parts = new HashSet<>();
    for (StoreTemplate store : StorageSpec.stores(observed.controlPlane().spec().storage())) {
      StoreShard shard = pinned(Stores.shard(observed.controlPlane(), store, turns), store);
      shards.add(shard);
      parts.add(SHARD + shard.getMetadata().getName());
    }
    boolean serversMoved =
        Told.of(told()).stalled().findFirst().isEmpty()
            && pins.isMoved(name(ControlPlaneNames.API_SERVER))
            && observed
                .deployment(ControlPlaneNames.API_SERVER)
                .filter(Rollout::isComplete)
                .isPresent();
    for (String component : components()) {
      parts.add(name(component));
      boolean moves =
          turns.haveMoved() && (component.equals(ControlPlaneNames.API_SERVER) || serversMoved)
              || lacksLimits(component);
      observed
          .completeInputs()
          .ifPresent(inputs -> deployments.put(component, pinned(component, inputs, moves)));
    }
    replacesPods |= back.isTriedAgain();
    this.builtIns =
        new BuiltInPins(
            pins,
            observed,
            () -> this.former.get().flatMap(Former::inputs),
            turns.haveMoved() && components().stream().map(this::name).allMatch(pins::isMoved));
    parts.addAll(builtIns.names());
    pins.keepOnly(parts::contains);
    boolean arrived = turns.haveMoved() && isWhole() && back.isEmpty();
    this.bundle = arrived ? asked.orElseThrow() : pins.bundle();
    this.kept = pins.kept(bundle, !waits);
    this.update = pins.update();
  }

  private boolean isWhole() {
    return observed.completeInputs().isPresent() && pins.unmoved().isEmpty();
  }

  private Optional<String> asked() {
    return pins.isMoving() ? Optional.of(pins.running()) : Optional.empty();
  }

  private ControlPlane owner() {
    return observed.controlPlane().asked();
  }

  private String name(String component) {
    return DEPLOYMENT + observed.controlPlane().names().component(component);
  }

  private List<String> components() {
    return observed.scheduling().handedOver()
        ? List.of(ControlPlaneNames.API_SERVER, ControlPlaneNames.CONTROLLER_MANAGER)
        : List.of(
            ControlPlaneNames.API_SERVER,
            ControlPlaneNames.CONTROLLER_MANAGER,
            ControlPlaneNames.SCHEDULER);
  }

  /** What a StoreShard is asked for; when it restarts or moves is told by its turn alone. */
  private StoreShard pinned(StoreShard made, StoreTemplate store) {
    StoreShardSpec spec = made.getSpec();
    Optional<StoreShard> there =
        observed.shards().stream()
            .filter(any -> any.getMetadata().getName().equals(made.getMetadata().getName()))
            .findFirst();
    StoreShardSpec applied =
        pins.apply(
            SHARD + made.getMetadata().getName(),
            spec.turned(null, null),
            () ->
                Restored.find(there, made, owner(), ask)
                    .map(live -> new Pins.Live(withoutTurn(live), "", null)),
            asked().filter(bundle -> bundle.equals(RolloutSpec.bundle(spec.rollout()))).isPresent(),
            () -> former(store).orElse(spec).turned(null, null));
    StoreShardSpec stays =
        there
            .flatMap(_ -> pins.kept(SHARD + made.getMetadata().getName(), StoreShardSpec.class))
            .map(applied::withPodOf)
            .orElse(applied);
    replacesPods |= !stays.equals(applied);
    if (waits && !stays.equals(applied)) {
      pins.hold(SHARD + made.getMetadata().getName(), spec.turned(null, null));
    }
    made.setSpec((waits ? stays : applied).turned(spec.restartedAt(), spec.rollout()));
    return made;
  }

  private static StoreShard withoutTurn(StoreShard live) {
    StoreShard copy = new StoreShard();
    copy.setMetadata(live.getMetadata());
    copy.setSpec(live.getSpec().turned(null, null));
    return copy;
  }

  private Optional<StoreShardSpec> former(StoreTemplate store) {
    return former
        .get()
        .map(Former::controlPlane)
        .flatMap(
            was ->
                StorageSpec.stores(was.spec().storage()).stream()
                    .filter(one -> one.name().equals(store.name()))
                    .findFirst()
                    .map(one -> Stores.shard(was, one, null, null).getSpec()));
  }

  private Deployment pinned(String component, Inputs inputs, boolean moves) {
    if (moves) {
      pins.leave(name(component));
    }
    Deployment made = made(component, inputs, observed.deployment(ControlPlaneNames.API_SERVER));
    PodTemplateSpec template =
        pins.apply(
            name(component),
            made.getSpec().getTemplate(),
            () ->
                Restored.find(observed.deployment(component), made, owner(), ask)
                    .map(live -> new Pins.Live(live, "template", RolloutViews.template(live))),
            moves,
            // A follower's next version is no part of what was rendered before, nor is a Service of
            // a resource that no earlier pass told of.
            () ->
                made(
                        component,
                        former.get().flatMap(Former::inputs).orElse(inputs).withToldRoutes(),
                        Optional.empty())
                    .getSpec()
                    .getTemplate());
    PodTemplateSpec stays =
        observed.deployment(component).isPresent()
            ? pins.waiting(name(component), made.getSpec().getTemplate(), template)
            : template;
    boolean replaces = !stays.equals(template);
    replacesPods |= replaces;
    if (waits && replaces && !lacksLimits(component)) {
      pins.hold(name(component), made.getSpec().getTemplate());
      template = stays;
    }
    return new DeploymentBuilder(made)
        .editSpec()
        .withTemplate(back.of(component, name(component), waits).orElse(template))
        .endSpec()
        .build();
  }

  private RolloutStatus told() {
    return owner().getStatus() == null ? null : owner().getStatus().rollout();
  }

  private boolean lacksLimits(String component) {
    return observed.deployment(component).filter(LackedLimits::of).isPresent();
  }

  private Deployment made(String component, Inputs inputs, Optional<Deployment> servers) {
    Optional<Deployment> existing =
        observed.deployment(component).map(live -> wished(component, live));
    if (component.equals(ControlPlaneNames.API_SERVER)) {
      return Components.apiServer(inputs, existing);
    }
    return component.equals(ControlPlaneNames.CONTROLLER_MANAGER)
        ? Components.controllerManager(inputs, servers, existing)
        : Components.scheduler(inputs, servers, existing);
  }

  /**
   * A follower that was rolled back follows on from what it is asked for, not from what it runs.
   */
  private Deployment wished(String component, Deployment live) {
    return pins.kept(name(component), PodTemplateSpec.class)
        .map(
            template ->
                new DeploymentBuilder(live).editSpec().withTemplate(template).endSpec().build())
        .orElse(live);
  }

  private static <T> Supplier<T> once(Supplier<T> costly) {
    List<T> known = new ArrayList<>(1);
    return () -> {
      if (known.isEmpty()) {
        known.add(costly.get());
      }
      return known.getFirst();
    };
  }

  /** Hands this over to the dependents of the same pass. */
  public void share(Context<ControlPlane> context) {
    context.managedWorkflowAndDependentResourceContext().put(KEY, this);
  }

  /** What was handed over; nothing while nothing may be changed. */
  public static Optional<ControlPlanePins> shared(Context<ControlPlane> context) {
    return context.managedWorkflowAndDependentResourceContext().get(KEY, ControlPlanePins.class);
  }

  static ControlPlanePins of(Context<ControlPlane> context) {
    return context
        .managedWorkflowAndDependentResourceContext()
        .getMandatory(KEY, ControlPlanePins.class);
  }

  Stream<StoreShard> shards() {
    return shards.stream();
  }

  Deployment deployment(String component) {
    return deployments.get(component);
  }

  /** The components' Deployments, in the order in which their pods are replaced. */
  public Map<String, Rendered> rendered() {
    Map<String, Rendered> all = new LinkedHashMap<>();
    deployments.forEach(
        (component, made) -> {
          Optional<String> id = back.id(component);
          all.put(
              component,
              new Rendered(
                  id.orElseGet(() -> pins.id(name(component))),
                  id.isPresent(),
                  made.getSpec().getReplicas()));
        });
    return all;
  }

  /** The files of built-in add-ons, by the source's name; none before the API has an address. */
  public Map<String, String> builtIns() {
    return builtIns.files();
  }

  Pins.Kept kept() {
    return kept;
  }

  /**
   * Whether pods that are there would be replaced, or are to be; facts that are urgent aside, which
   * wait for nobody.
   */
  public boolean replacesPods() {
    return replacesPods;
  }

  /** Whether pods that are there stay as they are. */
  public boolean waits() {
    return waits;
  }

  /** The bundle that the pods are made of. */
  public String bundle() {
    return bundle;
  }

  /** What is told of it. */
  public Update update() {
    return update;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.observe;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodeKubeletSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodePoolCondition;
import io.exaplane.api.v1alpha1.NodePoolStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RotationStatus;
import io.exaplane.operator.config.PausedUntil;
import io.exaplane.operator.management.ManagementAddresses;
import io.exaplane.operator.management.Taken;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.nodepool.address.ClusterPlan;
import io.exaplane.operator.nodepool.agents.AgentPlan;
import io.exaplane.operator.nodepool.check.AddressRules;
import io.exaplane.operator.nodepool.check.PoolContext;
import io.exaplane.operator.nodepool.check.PoolRules;
import io.exaplane.operator.nodepool.heartbeat.GracePeriod;
import io.exaplane.operator.nodepool.heartbeat.HeartbeatTarget;
import io.exaplane.operator.nodepool.heartbeat.Heartbeats;
import io.exaplane.operator.nodepool.render.ApiEndpoint;
import io.exaplane.operator.nodepool.render.ClusterPlans;
import io.exaplane.operator.nodepool.render.KubeletSettings;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.NodeAuthorities;
import io.exaplane.operator.pki.Ownership;
import io.exaplane.tuning.version.Durations;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Looks what there is of a pool and its ControlPlane. It asks the API server for the few objects of
 * the ControlPlane that it reads: most operators have no pools, and need no informers for them.
 * Thread-safe.
 */
@ApplicationScoped
public class PoolObserver {
  private static final String GRACE = "--node-monitor-grace-period=";

  private static final long NANOS = 1_000_000_000;

  private final Supplier<List<Taken>> addresses;
  private final Clock clock;

  @Inject
  PoolObserver(ManagementAddresses addresses, Clock clock) {
    this(addresses::taken, clock);
  }

  /** With another source of the management cluster's addresses. */
  public PoolObserver(Supplier<List<Taken>> addresses, Clock clock) {
    this.addresses = addresses;
    this.clock = clock;
  }

  /**
   * Looks once.
   *
   * @param pools all pools of the namespace
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server does not
   *     answer
   */
  public PoolObserved observe(
      NodePool pool,
      Optional<ControlPlane> found,
      Stream<NodePool> pools,
      KubernetesClient client) {
    Optional<ControlPlane> there =
        found.filter(each -> each.getMetadata().getDeletionTimestamp() == null);
    if (there.isEmpty()) {
      return new PoolObserved(
          pool,
          Optional.empty(),
          Optional.of(missing(pool)),
          Optional.empty(),
          KubeletSettings.of(Optional.empty(), kubelet(pool)),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          AgentPlan.NONE,
          false,
          Optional.empty());
    }
    ControlPlane controlPlane = there.get();
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    String namespace = controlPlane.getMetadata().getNamespace();
    Optional<String> advice =
        data(client.configMaps().inNamespace(namespace).withName(names.tuning()).get());
    List<NodePool> siblings = siblings(pool, pools);
    List<Taken> taken =
        siblings.stream().anyMatch(each -> each.getSpec().addresses() != null)
            ? addresses.get()
            : List.of();
    KubeletSettings settings = KubeletSettings.of(advice, kubelet(pool));
    Optional<Deployment> controllers = Optional.ofNullable(deployment(names, namespace, client));
    HeartbeatTarget heartbeats =
        HeartbeatTarget.of(settings.heartbeats(), gracePeriod(controllers), before(pool));
    PoolContext context =
        new PoolContext(
            pool,
            controlPlane,
            siblings,
            taken,
            settings.maxPods(),
            grace(pool, () -> controllers.orElse(null)));
    return new PoolObserved(
        pool,
        there,
        PoolRules.broken(context),
        PausedUntil.parse(controlPlane.getSpec().pausedUntil(), clock.instant()),
        settings.with(heartbeats.carried()),
        endpoint(client.secrets().inNamespace(namespace).withName(names.adminKubeconfig()).get()),
        Optional.of(heartbeats),
        Optional.of(plan(context, advice)),
        AgentPlan.of(siblings, closedBy(controlPlane)),
        Stream.concat(siblings.stream(), Stream.of(pool)).anyMatch(PoolObserver::hasAgents),
        authorities(
            controlPlane,
            client.secrets().inNamespace(namespace).withName(names.clusterCa()).get()));
  }

  /** Of a Secret that is the ControlPlane's. */
  private static Optional<NodeAuthorities> authorities(ControlPlane controlPlane, Secret found) {
    RotationStatus rotation =
        controlPlane.getStatus() == null ? null : controlPlane.getStatus().rotation();
    return Optional.ofNullable(found)
        .filter(secret -> Ownership.isOf(secret, controlPlane))
        .flatMap(
            secret ->
                NodeAuthorities.in(
                    secret,
                    rotation == null || rotation.ca() == null ? null : rotation.ca().phase()));
  }

  /** What was asked for, and is told of by conditions, has to be taken back. */
  private static boolean hasAgents(NodePool pool) {
    return pool.getSpec().agents() != null
        || pool.getStatus() != null
            && pool.getStatus().conditions() != null
            && pool.getStatus().conditions().stream()
                .anyMatch(
                    each ->
                        each.type().equals(NodePoolCondition.AgentsUpToDate.name())
                            || each.type().equals(NodePoolCondition.AgentPolicyInForce.name()));
  }

  /** While nodes seem dead that may not be, their agents stay as they are. */
  private static String closedBy(ControlPlane controlPlane) {
    boolean isFrozen =
        controlPlane.getStatus() != null
            && controlPlane.getStatus().conditions() != null
            && controlPlane.getStatus().conditions().stream()
                .anyMatch(
                    each ->
                        each.type().equals(ConditionType.NodeEvictionsAllowed.name())
                            && each.status().equals(Condition.FALSE));
    return isFrozen ? "the meltdown guard of the ControlPlane holds back evictions" : "";
  }

  private static Problem missing(NodePool pool) {
    return Problem.of(
        Reason.ControlPlaneMissing,
        "spec.controlPlaneRef: ControlPlane %s does not exist in this namespace, or is being deleted. Create it, or delete this pool.",
        pool.getSpec().controlPlaneRef().name());
  }

  private static List<NodePool> siblings(NodePool pool, Stream<NodePool> pools) {
    String controlPlane = pool.getSpec().controlPlaneRef().name();
    return pools
        .filter(each -> each.getSpec().controlPlaneRef().name().equals(controlPlane))
        .filter(each -> each.getMetadata().getDeletionTimestamp() == null)
        .toList();
  }

  /** Nodes of a pool whose addresses are refused get none; all else of a spec may be refused. */
  private static ClusterPlan plan(PoolContext context, Optional<String> advice) {
    return ClusterPlans.of(
        context.controlPlane(),
        context.pools(),
        context.taken(),
        each ->
            AddressRules.problem(
                    new PoolContext(
                        each,
                        context.controlPlane(),
                        context.pools(),
                        context.taken(),
                        KubeletSettings.of(advice, kubelet(each)).maxPods(),
                        OptionalLong.empty()))
                .isEmpty());
  }

  private static NodeKubeletSpec kubelet(NodePool pool) {
    return NodeKubeletSpec.of(pool.getSpec().kubelet());
  }

  private static Optional<String> data(ConfigMap found) {
    return Optional.ofNullable(found)
        .map(ConfigMap::getData)
        .map(data -> data.get(KubeletSettings.FILE));
  }

  private static Optional<ApiEndpoint> endpoint(Secret found) {
    return Optional.ofNullable(found)
        .map(Secret::getData)
        .map(data -> data.get(ApiEndpoint.FILE))
        .map(text -> new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8))
        .flatMap(ApiEndpoint::of);
  }

  private static Deployment deployment(
      ControlPlaneNames names, String namespace, KubernetesClient client) {
    return client
        .apps()
        .deployments()
        .inNamespace(namespace)
        .withName(names.component(ControlPlaneNames.CONTROLLER_MANAGER))
        .get();
  }

  /** What nodes were to have at the last look. */
  private static Optional<Heartbeats> before(NodePool pool) {
    return Optional.ofNullable(pool.getStatus())
        .map(NodePoolStatus::heartbeats)
        .map(
            had ->
                new Heartbeats(
                    had.leaseSeconds(), had.statusUpdateSeconds(), had.statusReportSeconds()));
  }

  /** While pods are replaced, one with the flags of before may lead. */
  static GracePeriod gracePeriod(Optional<Deployment> controllers) {
    boolean runs =
        controllers
            .filter(found -> found.getStatus() != null)
            .filter(
                found ->
                    Objects.equals(
                        found.getMetadata().getGeneration(),
                        found.getStatus().getObservedGeneration()))
            .filter(
                found ->
                    Objects.equals(
                            found.getStatus().getReplicas(), found.getStatus().getUpdatedReplicas())
                        && found.getStatus().getReplicas() != null)
            .isPresent();
    return new GracePeriod(
        controllers.flatMap(PoolObserver::grace).orElse(GracePeriod.DEFAULT_SECONDS), runs);
  }

  /** What runs counts; it is a rule only if the spec has a duration of Leases. */
  static OptionalLong grace(NodePool pool, Supplier<Deployment> controllers) {
    return kubelet(pool).leaseDurationSeconds() == null
        ? OptionalLong.empty()
        : OptionalLong.of(
            Optional.ofNullable(controllers.get())
                .flatMap(PoolObserver::grace)
                .orElse(GracePeriod.DEFAULT_SECONDS));
  }

  /** The last of a flag counts. */
  private static Optional<Long> grace(Deployment controllers) {
    return controllers.getSpec().getTemplate().getSpec().getContainers().stream()
        .map(Container::getCommand)
        .filter(Objects::nonNull)
        .flatMap(List::stream)
        .filter(flag -> flag.startsWith(GRACE))
        .map(flag -> flag.substring(GRACE.length()))
        .map(text -> text.startsWith("+") ? text.substring(1) : text)
        .map(text -> Durations.nanos(text) / NANOS)
        .reduce((_, later) -> later);
  }
}

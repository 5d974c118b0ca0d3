// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.observe;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ImagesSpec;
import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.config.OperatorConfig;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.PoolCertificates;
import io.exaplane.operator.pki.PullSecretUse;
import io.exaplane.operator.schedulerpool.hosted.PoolClusters;
import io.exaplane.operator.schedulerpool.hosted.PoolProbe;
import io.exaplane.operator.schedulerpool.hosted.PoolTarget;
import io.exaplane.operator.schedulerpool.hosted.PoolView;
import io.exaplane.operator.schedulerpool.render.PoolInputs;
import io.exaplane.operator.status.PodEvents;
import io.exaplane.operator.status.SetRefusal;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Looks at what is there of a pool, remembers how to come to its cluster, and brings the tree's
 * certificates up to date, which need addresses that only the management cluster knows.
 * Thread-safe: keeps nothing.
 */
@ApplicationScoped
public class PoolObserver {
  private final OperatorConfig config;
  private final PoolClusters clusters;
  private final PoolProbe probe;
  private final Clock clock;

  PoolObserver(OperatorConfig config, PoolClusters clusters, PoolProbe probe, Clock clock) {
    this.config = config;
    this.clusters = clusters;
    this.probe = probe;
    this.clock = clock;
  }

  /**
   * Looks.
   *
   * @param hold whether nothing may be changed just now
   * @param bundle why the bundle that the spec names can't be had
   */
  public PoolObserved observe(
      SchedulerPool pool, boolean hold, Optional<Problem> bundle, Context<SchedulerPool> context) {
    Map<String, Secret> secrets =
        byName(context.getSecondaryResourcesAsStream(Secret.class).toList());
    List<Pod> pods =
        PodEvents.read(
            context.getSecondaryResources(Pod.class), context.getClient(), clock.instant());
    Map<String, StatefulSet> sets =
        byName(
            context
                .getSecondaryResourcesAsStream(StatefulSet.class)
                .map(set -> SetRefusal.read(set, context.getClient()))
                .toList());
    Optional<Deployment> fallback = context.getSecondaryResource(Deployment.class);
    PoolTarget.Result found = connected(pool, target(pool, bundle, secrets, context), pods);
    Optional<PoolView> view =
        context
            .getSecondaryResource(PoolView.class)
            .or(() -> found.target().flatMap(_ -> probe.look(pool).stream().findFirst()));
    Optional<String> version =
        found.target().flatMap(PoolTarget::version).or(() -> version(pool, view));
    Optional<PoolTarget.Missing> missing = found.missing();
    if (missing.isEmpty() && version.isEmpty()) {
      missing =
          Optional.of(
              new PoolTarget.Missing(
                  Reason.NotReached,
                  "The cluster's API does not report its version: %s. Check the kubeconfig in Secret %s."
                      .formatted(
                          view.map(PoolView::problem).orElse("the operator has not asked yet"),
                          PoolTarget.secretOf(pool)),
                  false));
    }
    List<Instant> nextChange = new ArrayList<>();
    Optional<PoolInputs> inputs = Optional.empty();
    if (missing.isEmpty() && !hold) {
      FallbackPolicy policy = policy(pool, pool.getStatus(), fallback, view, pods);
      inputs =
          inputs(
              pool,
              found.target().orElseThrow(),
              version.orElseThrow(),
              policy.standsIn(clock.instant()),
              nextChange,
              context,
              secrets::get);
    }
    return new PoolObserved(
        pool,
        found.target(),
        missing,
        view,
        inputs,
        sets,
        fallback,
        pods,
        List.copyOf(context.getSecondaryResources(Service.class)),
        pullSecretIsUsed(pool, context)
            ? objection(pool, context).map(PullSecretUse::notice)
            : Optional.empty(),
        List.copyOf(nextChange));
  }

  /**
   * Of a cluster that is not Exaplane's: while it is upgraded its servers say now this, now that,
   * and roots follow the newest that was seen.
   */
  private static Optional<String> version(SchedulerPool pool, Optional<PoolView> view) {
    Optional<String> before =
        Optional.ofNullable(pool.getStatus()).map(SchedulerPoolStatus::kubernetesVersion);
    Optional<String> now = view.filter(PoolView::answers).map(PoolView::version);
    return now.filter(seen -> before.filter(b -> isNewer(b, seen)).isEmpty()).or(() -> before);
  }

  static boolean isNewer(String version, String than) {
    return ComparableVersion.of(version).compareTo(ComparableVersion.of(than)) > 0;
  }

  private PoolTarget.Result connected(SchedulerPool pool, PoolTarget.Result found, List<Pod> pods) {
    if (found.target().isEmpty()) {
      return found;
    }
    try {
      clusters.connect(pool, found.target().get(), addresses(pods));
      return found;
    } catch (RuntimeException unusable) {
      // Its words may be of what the Secret holds.
      return missing(PoolRules.unusableKeys(pool));
    }
  }

  private PoolTarget.Result target(
      SchedulerPool pool,
      Optional<Problem> bundle,
      Map<String, Secret> secrets,
      Context<SchedulerPool> context) {
    Optional<PoolTarget.Missing> broken =
        PoolRules.broken(
            pool,
            bundle,
            () -> pullSecret(pool, context),
            () -> context.getPrimaryCache().list(pool.getMetadata().getNamespace()));
    if (broken.isPresent()) {
      return missing(broken.get());
    }
    PoolTarget.Result found =
        PoolTarget.find(pool, context.getSecondaryResource(ControlPlane.class), secrets::get);
    return found
        .target()
        .flatMap(target -> PoolRules.brokenKubeconfig(pool, target))
        .map(PoolObserver::missing)
        .orElse(found);
  }

  /** What speaks against the Secret for images; nothing when pods pull with it already. */
  private static Optional<String> pullSecret(SchedulerPool pool, Context<SchedulerPool> context) {
    return pullSecretIsUsed(pool, context) ? Optional.empty() : objection(pool, context);
  }

  private static boolean pullSecretIsUsed(SchedulerPool pool, Context<SchedulerPool> context) {
    ImagesSpec images = pool.getSpec().images();
    return context
        .getSecondaryResourcesAsStream(StatefulSet.class)
        .anyMatch(set -> PullSecretUse.isIn(set.getSpec().getTemplate().getSpec(), images));
  }

  private static Optional<String> objection(SchedulerPool pool, Context<SchedulerPool> context) {
    return PullSecretUse.objection(pool, pool.getSpec().images(), context.getClient());
  }

  private static PoolTarget.Result missing(PoolTarget.Missing missing) {
    return new PoolTarget.Result(Optional.empty(), Optional.of(missing));
  }

  /**
   * When a kube-scheduler comes or goes, by what status says of the Lease and since when: a
   * condition keeps its time as long as it stays.
   */
  public static FallbackPolicy policy(
      SchedulerPool pool,
      SchedulerPoolStatus status,
      Optional<Deployment> fallback,
      Optional<PoolView> view,
      List<Pod> pods) {
    boolean nobody = view.filter(seen -> seen.answers() && !seen.held()).isPresent();
    PoolNames names = new PoolNames(pool);
    return new FallbackPolicy(
        pool.getSpec().fallback(),
        fallback.map(f -> Instant.parse(f.getMetadata().getCreationTimestamp())),
        nobody ? nobodySince(status) : Optional.empty(),
        pods.stream()
            .filter(pod -> PoolNames.isOf(Tier.ROOT, pod.getMetadata().getLabels()))
            .map(PoolObserver::readySince)
            .flatMap(Optional::stream)
            .max(Comparator.naturalOrder()),
        view.filter(seen -> seen.held() && names.isRoot(seen.holder())).isPresent());
  }

  private static Optional<Instant> nobodySince(SchedulerPoolStatus status) {
    return Optional.ofNullable(status).map(SchedulerPoolStatus::conditions).stream()
        .flatMap(List::stream)
        .filter(c -> c.type().equals(PoolCondition.LeaseHeld.name()))
        .filter(c -> c.status().equals(Condition.FALSE))
        .map(c -> Instant.parse(c.lastTransitionTime()))
        .findFirst();
  }

  /** Since when a pod is ready, if it is. */
  public static Optional<Instant> readySince(Pod pod) {
    if (pod.getMetadata().getDeletionTimestamp() != null
        || pod.getStatus() == null
        || pod.getStatus().getConditions() == null) {
      return Optional.empty();
    }
    return pod.getStatus().getConditions().stream()
        .filter(c -> c.getType().equals("Ready") && c.getStatus().equals("True"))
        .map(PodCondition::getLastTransitionTime)
        .filter(Objects::nonNull)
        .map(Instant::parse)
        .findFirst();
  }

  private Optional<PoolInputs> inputs(
      SchedulerPool pool,
      PoolTarget target,
      String version,
      boolean standsIn,
      List<Instant> nextChange,
      Context<SchedulerPool> context,
      Function<String, Secret> secrets) {
    Map<String, String> services = new TreeMap<>();
    PoolNames names = new PoolNames(pool);
    if (Tier.SHARD.replicas(pool.getSpec()) > 0) {
      Map<String, Service> known =
          byName(context.getSecondaryResourcesAsStream(Service.class).toList());
      for (Tier tier : List.of(Tier.ROOT, Tier.RELAY)) {
        for (String name : names.members(tier, tier.replicas(pool.getSpec()))) {
          Service service = known.get(name);
          String address = service == null ? null : service.getSpec().getClusterIP();
          if (address == null || address.isEmpty()) {
            return Optional.empty();
          }
          services.put(name, address);
        }
      }
      Optional<Instant> renewal =
          Outcomes.of(context)
              .attempt(
                  () ->
                      new PoolCertificates(pool, context.getClient(), secrets, clock)
                          .ensure(services.values()));
      if (renewal.isEmpty()) {
        return Optional.empty();
      }
      nextChange.add(renewal.get());
    }
    return Optional.of(
        new PoolInputs(
            pool,
            new Images(config, pool.getSpec().images()),
            version,
            target.secret(),
            target.credentialsEpoch(),
            target.controlPlane().isPresent(),
            target.nodes(),
            target.pods(),
            services,
            standsIn));
  }

  private static Map<String, String> addresses(List<Pod> pods) {
    return pods.stream()
        .filter(pod -> PoolNames.isOf(Tier.ROOT, pod.getMetadata().getLabels()))
        .filter(pod -> pod.getStatus() != null && pod.getStatus().getPodIP() != null)
        .collect(
            Collectors.toMap(
                pod -> pod.getMetadata().getName(), pod -> pod.getStatus().getPodIP()));
  }

  private static <R extends io.fabric8.kubernetes.api.model.HasMetadata> Map<String, R> byName(
      List<R> objects) {
    return objects.stream()
        .collect(Collectors.toMap(o -> o.getMetadata().getName(), Function.identity()));
  }
}

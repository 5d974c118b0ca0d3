// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import static io.exaplane.tuning.version.Component.KUBE_CONTROLLER_MANAGER;
import static io.exaplane.tuning.version.Component.KUBE_SCHEDULER;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.ExtraArg;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.sizing.Arguments;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.hosted.HostedClusters;
import io.exaplane.operator.lease.LeaseWatch;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Looks whether kube-controller-manager and kube-scheduler hold their Leases in the hosted cluster.
 * Who renews a Lease proves that the API takes writes; only while one is not renewed the operator
 * writes a Lease of its own, and tells who refuses it. Thread-safe.
 */
@ApplicationScoped
public class LeaderProbe {
  /** How often each cluster is looked at. */
  public static final Duration PERIOD = Duration.ofSeconds(10);

  /** A component that is ready takes a free Lease within seconds. */
  private static final Duration GRACE = Duration.ofSeconds(20);

  private static final String NAMESPACE = "kube-system";
  private static final String NAME_FLAG = "leader-elect-resource-name";
  private static final String NAMESPACE_FLAG = "leader-elect-resource-namespace";
  private static final String CHECK = "exaplane-write-check";
  private static final String FIELD_MANAGER = "exaplane-operator";

  /** A component's Lease, and the condition that tells of its pods. */
  enum Component {
    CONTROLLER_MANAGER(
        KUBE_CONTROLLER_MANAGER,
        "kube-controller-manager",
        ConditionType.ControllerManagerAvailable),
    SCHEDULER(KUBE_SCHEDULER, "kube-scheduler", ConditionType.SchedulerAvailable);

    private final io.exaplane.tuning.version.Component tuned;
    private final String lease;
    private final ConditionType condition;

    Component(io.exaplane.tuning.version.Component tuned, String lease, ConditionType condition) {
      this.tuned = tuned;
      this.lease = lease;
      this.condition = condition;
    }

    /** The Lease that it takes, by default or by the user's flags; the last of a flag counts. */
    LeaseName leaseName(ControlPlaneSpec spec) {
      return new LeaseName(flag(spec, NAMESPACE_FLAG, NAMESPACE), flag(spec, NAME_FLAG, lease));
    }

    private String flag(ControlPlaneSpec spec, String name, String otherwise) {
      return Arguments.of(spec, tuned).stream()
          .filter(argument -> argument.name().equals(name))
          .map(ExtraArg::value)
          .filter(value -> value != null && !value.isEmpty())
          .reduce(otherwise, (_, later) -> later);
    }
  }

  /** Where a Lease is. */
  record LeaseName(String namespace, String name) {}

  private record Key(String uid, Component component, LeaseName lease) {}

  /**
   * A Lease under watch.
   *
   * @param freeSince since when nobody has held it although somebody could; null while somebody
   *     does
   */
  record Seen(LeaseWatch watch, Instant freeSince) {
    /**
     * With what is seen now.
     *
     * @param before null at the first look
     * @param ready whether somebody could hold it
     */
    static Seen next(Seen before, Lease lease, boolean ready, Instant now) {
      LeaseWatch watch = LeaseWatch.next(before == null ? null : before.watch(), lease, now);
      boolean free = ready && watch.isHeld(lease, PERIOD, now).filter(held -> !held).isPresent();
      Instant since = before == null || before.freeSince() == null ? now : before.freeSince();
      return new Seen(watch, free ? since : null);
    }

    /** True as long as the contrary is not certain. */
    boolean leads(Instant now) {
      return freeSince == null || now.isBefore(freeSince.plus(GRACE));
    }
  }

  private final Map<Key, Seen> leases = new ConcurrentHashMap<>();

  /** The last verdict, by the control plane's UID: a request that fails says nothing new. */
  private final Map<String, Leaders> last = new ConcurrentHashMap<>();

  private final HostedClusters clusters;
  private final Clock clock;

  LeaderProbe(HostedClusters clusters, Clock clock) {
    this.clusters = clusters;
    this.clock = clock;
  }

  /** Whether it can be asked: a kube-apiserver is ready. */
  public static boolean applies(ControlPlane controlPlane) {
    return condition(controlPlane, ConditionType.APIServerAvailable)
        .filter(found -> found.status().equals(Condition.TRUE))
        .isPresent();
  }

  /** Looks once; the last verdict while the API does not answer, nothing before the first. */
  public Set<Leaders> look(ControlPlane controlPlane) {
    Optional<HostedCluster> cluster = clusters.find(controlPlane.getMetadata().getUid());
    return cluster.isEmpty() ? Set.of() : look(controlPlane, () -> cluster.get().client());
  }

  /** The same through a client, which may be none when the connection was closed meanwhile. */
  Set<Leaders> look(ControlPlane controlPlane, Supplier<KubernetesClient> way) {
    String uid = controlPlane.getMetadata().getUid();
    try {
      KubernetesClient client = way.get();
      boolean manager = leads(controlPlane, Component.CONTROLLER_MANAGER, client);
      boolean scheduler = leads(controlPlane, Component.SCHEDULER, client);
      String before = last.getOrDefault(uid, Leaders.UNKNOWN).writeProblem();
      String problem = manager && scheduler ? "" : writeProblem(client, before);
      Leaders leaders = new Leaders(manager, scheduler, problem);
      last.put(uid, leaders);
      return Set.of(leaders);
    } catch (KubernetesClientException e) {
      return Optional.ofNullable(last.get(uid)).map(Set::of).orElse(Set.of());
    }
  }

  /**
   * The Lease that a component takes, as namespace/name.
   *
   * @param type the condition that tells of the component's pods
   * @throws IllegalArgumentException if no component with a Lease has that condition
   */
  public static String lease(ControlPlaneSpec spec, ConditionType type) {
    return Stream.of(Component.values())
        .filter(component -> component.condition == type)
        .map(component -> component.leaseName(spec))
        .map(lease -> lease.namespace() + "/" + lease.name())
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(type + " tells of no Lease"));
  }

  /** Forgets a control plane that is gone. */
  public void forget(ControlPlane controlPlane) {
    String uid = controlPlane.getMetadata().getUid();
    leases.keySet().removeIf(key -> key.uid().equals(uid));
    last.remove(uid);
  }

  /** True as long as the contrary is not certain. */
  private boolean leads(ControlPlane controlPlane, Component component, KubernetesClient client) {
    Instant now = clock.instant();
    LeaseName name = component.leaseName(controlPlane.getSpec());
    Lease lease = client.leases().inNamespace(name.namespace()).withName(name.name()).get();
    boolean ready =
        condition(controlPlane, component.condition)
            .filter(
                found ->
                    found.status().equals(Condition.TRUE)
                        || found.reason().equals(Reason.NobodyInCharge.name()))
            .isPresent();
    Seen seen =
        leases.compute(
            new Key(controlPlane.getMetadata().getUid(), component, name),
            (_, before) -> Seen.next(before, lease, ready, now));
    return seen.leads(now);
  }

  /**
   * Who refuses a Lease of the operator's, and why; "" if nobody does.
   *
   * @param before what was found before; a refusal that passes by itself does not change that
   */
  private String writeProblem(KubernetesClient client, String before) {
    Lease check =
        new LeaseBuilder()
            .withNewMetadata()
            .withName(CHECK)
            .withNamespace(NAMESPACE)
            .addToLabels(Names.MANAGED_BY_LABEL, Names.MANAGED_BY)
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity(FIELD_MANAGER)
            .withRenewTime(ZonedDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
            .endSpec()
            .build();
    try {
      client.resource(check).fieldManager(FIELD_MANAGER).forceConflicts().serverSideApply();
      return "";
    } catch (KubernetesClientException e) {
      Refusal refusal = Refusals.of(e);
      return refusal.passes() ? before : refusal.text();
    }
  }

  private static Optional<Condition> condition(ControlPlane controlPlane, ConditionType type) {
    return controlPlane.getStatus() == null || controlPlane.getStatus().conditions() == null
        ? Optional.empty()
        : controlPlane.getStatus().conditions().stream()
            .filter(found -> found.type().equals(type.name()))
            .findFirst();
  }
}

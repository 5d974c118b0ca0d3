// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.api.v1alpha1.ApiServerTuning;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.api.v1alpha1.EndpointSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.sizing.Tuned;
import io.exaplane.operator.hosted.HostedApi;
import io.exaplane.operator.hosted.HostedBootstrap;
import io.exaplane.operator.hosted.HostedBootstrap.Ensured;
import io.exaplane.operator.hosted.HostedCalls;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.hosted.HostedClusters;
import io.exaplane.operator.hosted.Rewrites;
import io.exaplane.operator.hosted.SeenInside;
import io.exaplane.operator.hosted.ServingRules;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.net.IpAddresses;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.outcome.Refusals;
import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.ControlPlanePki;
import io.exaplane.operator.probe.ProbeSource;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.rotation.Rotation;
import io.exaplane.operator.rotation.Stage;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/** What the reconciler needs of the hosted clusters. Thread-safe. */
@ApplicationScoped
public class HostedAccess {
  private static final Logger LOG = Logger.getLogger(HostedAccess.class);

  private final HostedClusters clusters;
  private final EndpointProbe probe;
  private final LeaderProbe leaders;
  private final MemoryProbe memory;
  private final GuardProbe guard;
  private final SettleProbe settle;
  private final AgentGateProbe agents;
  private final LeaseRateProbe renewals;
  private final SeenInside seen;
  private final Rewrites rewrites;
  private final HostedCalls calls;
  private final Map<String, String> refusals = new ConcurrentHashMap<>();
  private final SimpleInboundEventSource<ControlPlane> changes =
      new SimpleInboundEventSource<>("hosted-changes");

  HostedAccess(
      HostedClusters clusters,
      EndpointProbe probe,
      LeaderProbe leaders,
      MemoryProbe memory,
      GuardProbe guard,
      SettleProbe settle,
      AgentGateProbe agents,
      LeaseRateProbe renewals,
      SeenInside seen,
      Rewrites rewrites,
      HostedCalls calls) {
    this.rewrites = rewrites;
    this.seen = seen;
    this.calls = calls;
    this.guard = guard;
    this.settle = settle;
    this.agents = agents;
    this.renewals = renewals;
    this.leaders = leaders;
    this.memory = memory;
    this.clusters = clusters;
    this.probe = probe;
  }

  /**
   * Opens connections to the hosted API as soon as its address and CA are known.
   *
   * @param pools the NodePools of the control plane
   */
  public void connect(Observed observed, Collection<NodePool> pools) {
    ControlPlane controlPlane = observed.controlPlane().asked();
    Optional<Authorities> authorities = observed.pki().authorities();
    if (observed.serviceAddress().isEmpty() || authorities.isEmpty()) {
      return;
    }
    memory.watch(controlPlane.getMetadata().getUid(), observed.pods(ControlPlaneNames.API_SERVER));
    Optional<GuardTarget> target = GuardTarget.of(observed);
    target.ifPresent(found -> guard.watch(controlPlane.getMetadata().getUid(), found));
    target.ifPresent(found -> renewals.watch(controlPlane.getMetadata().getUid(), found));
    agents.watch(
        controlPlane.getMetadata().getUid(), observed.pods(ControlPlaneNames.API_SERVER), target);
    String address = observed.serviceAddress().get();
    int port = EndpointSpec.of(controlPlane.getSpec().endpoint()).port();
    clusters.connect(
        controlPlane.getMetadata().getUid(),
        new HostedApi(
            "https://" + IpAddresses.urlHost(address) + ":" + port,
            authorities.get(),
            ServingRules.of(
                controlPlane,
                ControlPlanePki.apiServerNames(
                    controlPlane,
                    address,
                    observed.endpoint().map(Endpoint::host).stream().toList()),
                pools),
            observed
                .deployment(ControlPlaneNames.API_SERVER)
                .filter(Rollout::isComplete)
                .map(Rollout::dataEpoch)),
        () -> changes.propagateEvent(ResourceID.fromResource(controlPlane)));
  }

  /**
   * Keeps the operator's objects inside the hosted cluster as they should be. An API that does not
   * answer just now is asked again at the next look; its absence shows in Available. A pass waits
   * at most {@link HostedCalls#MOST} for all of that.
   *
   * @param held whether the spec cannot be carried out: then the administrators only, whose
   *     kubeconfig is renewed all the same
   * @return why the API refused one, if it did
   */
  public Optional<String> ensureObjects(Observed observed, boolean held) {
    String uid = observed.controlPlane().asked().getMetadata().getUid();
    Optional<HostedCluster> cluster = clusters.find(uid);
    Optional<Tuned> tuned = observed.sized().tuned();
    if (cluster.isEmpty() || observed.endpoint().isEmpty() || !held && tuned.isEmpty()) {
      return Optional.empty();
    }
    String administrators =
        ControlPlanePki.administrators(observed.controlPlane().asked().getSpec().pki());
    boolean managed =
        !held
            && ApiServerTuning.of(observed.controlPlane().spec().apiServer()).managesFlowControl();
    try {
      List<HasMetadata> objects =
          new ArrayList<>(
              held
                  ? List.of(HostedObjects.administrators(administrators))
                  : HostedObjects.of(
                      administrators, observed.endpoint().get(), tuned.get(), managed));
      Optional<HasMetadata> authorities = clientAuthorities(observed);
      authorities.ifPresent(objects::add);
      Optional<Ensured> ensured = ensure(observed, cluster.get(), objects, managed);
      if (ensured.isEmpty()) {
        return Optional.ofNullable(refusals.get(uid));
      }
      note(observed, administrators, objects.getFirst(), authorities, ensured.get().done());
      List<Refusal> refused =
          ensured.get().refusals().stream().filter(refusal -> !refusal.passes()).toList();
      if (refused.isEmpty()) {
        refusals.remove(uid);
      } else {
        refusals.put(uid, Refusal.text(refused));
      }
      return Optional.ofNullable(refusals.get(uid));
    } catch (KubernetesClientException e) {
      LOG.infof("the hosted API can't be watched: %s", Refusals.of(e).text());
      return Optional.empty();
    }
  }

  /** What came of it, unless the API takes longer than a pass waits. */
  private Optional<Ensured> ensure(
      Observed observed, HostedCluster cluster, List<HasMetadata> objects, boolean managed) {
    ControlPlane controlPlane = observed.controlPlane().asked();
    return calls.within(
        controlPlane.getMetadata().getUid(),
        List.of(cluster, objects, managed),
        () -> HostedBootstrap.ensure(cluster, objects, managed),
        () -> changes.propagateEvent(ResourceID.fromResource(controlPlane)));
  }

  /**
   * Has objects written with a new key of encryption while all kube-apiservers use it, ready or
   * not. What was written while one of them may have used another key counts for nothing.
   */
  public void rewrite(Observed observed) {
    ControlPlane controlPlane = observed.controlPlane().asked();
    String uid = controlPlane.getMetadata().getUid();
    for (Rotation rotation : observed.pki().rotations()) {
      if (!rotation.field().equals(Rotation.ENCRYPTION_KEY)) {
        continue;
      }
      if (rotation.rewrites()) {
        clusters
            .find(uid)
            .ifPresent(
                cluster ->
                    rewrites.follow(
                        uid,
                        rotation.key(),
                        rotation.servers().orElseThrow(),
                        cluster::client,
                        () -> changes.propagateEvent(ResourceID.fromResource(controlPlane))));
      } else {
        rewrites.forget(uid);
      }
    }
  }

  /** What the next pass goes by. It follows at once. */
  private void note(
      Observed observed,
      String administrators,
      HasMetadata binding,
      Optional<HasMetadata> authorities,
      List<HasMetadata> done) {
    ControlPlane controlPlane = observed.controlPlane().asked();
    boolean isNew =
        seen.note(
            controlPlane.getMetadata().getUid(),
            new SeenInside.Seen(
                Optional.of(administrators).filter(_ -> done.contains(binding)),
                authorities
                    .filter(done::contains)
                    .flatMap(_ -> observed.pki().authorities())
                    .map(Authorities::trusted)));
    if (isNew) {
      changes.propagateEvent(ResourceID.fromResource(controlPlane));
    }
  }

  /** When a rotation of the CA is over, and no server adds the old one again. */
  private static Optional<HasMetadata> clientAuthorities(Observed observed) {
    return observed.pki().rotations().stream()
        .filter(rotation -> rotation.field().equals(Rotation.CA))
        .filter(rotation -> rotation.key().stage() == Stage.SINGLE && rotation.key().step() > 0)
        .filter(rotation -> rotation.remaining().isEmpty())
        .findFirst()
        .flatMap(_ -> observed.pki().authorities())
        .map(keys -> HostedObjects.clientAuthorities(keys.trusted()));
  }

  /** What somebody changed of the operator's objects brings the reconciler back. */
  public EventSource<?, ControlPlane> changes() {
    return changes;
  }

  /** Brings the reconciler back. */
  public void changed(ControlPlane controlPlane) {
    changes.propagateEvent(ResourceID.fromResource(controlPlane));
  }

  /** Closes all connections to a cluster that is being removed. */
  public void forget(ControlPlane controlPlane) {
    // In this order, so that a probe under way fails and leaves nothing behind.
    clusters.forget(controlPlane.getMetadata().getUid());
    calls.forget(controlPlane.getMetadata().getUid());
    refusals.remove(controlPlane.getMetadata().getUid());
    seen.forget(controlPlane.getMetadata().getUid());
    rewrites.forget(controlPlane.getMetadata().getUid());
    leaders.forget(controlPlane);
    memory.forget(controlPlane);
    guard.forget(controlPlane);
    settle.forget(controlPlane);
    agents.forget(controlPlane);
    renewals.forget(controlPlane);
  }

  /** Looks who leads inside; a change brings the reconciler back. */
  public EventSource<?, ControlPlane> leaders(EventSourceContext<ControlPlane> context) {
    return ProbeSource.of(
        Leaders.class,
        new ProbeSource.Settings<>(
            "leader-probe", leaders::look, _ -> true, LeaderProbe::applies, LeaderProbe.PERIOD),
        context);
  }

  /** Looks how much memory kube-apiservers use; a change brings the reconciler back. */
  public EventSource<?, ControlPlane> memory(EventSourceContext<ControlPlane> context) {
    return ProbeSource.of(
        ApiServerMemory.class,
        new ProbeSource.Settings<>(
            "memory-probe", memory::look, _ -> true, LeaderProbe::applies, MemoryProbe.PERIOD),
        context);
  }

  /** Looks whether nodes that seem dead can be believed to be; a decision brings it back. */
  public EventSource<?, ControlPlane> guard(EventSourceContext<ControlPlane> context) {
    return ProbeSource.of(
        GuardVerdict.class,
        new ProbeSource.Settings<>(
            "guard-probe", guard::look, _ -> true, GuardProbe::applies, GuardProbe.PERIOD),
        context);
  }

  /** The pods that are to settle; none when nothing is replaced or added. */
  public void awaitSettled(Observed observed, List<String> pods) {
    settle.watch(
        observed.controlPlane().asked().getMetadata().getUid(),
        observed.pods(ControlPlaneNames.API_SERVER).stream()
            .filter(pod -> pods.contains(pod.getMetadata().getName()))
            .toList());
  }

  /** Looks how busy the newest kube-apiservers of a rollout are. */
  public EventSource<?, ControlPlane> loads(EventSourceContext<ControlPlane> context) {
    return ProbeSource.of(
        ApiServerLoads.class,
        new ProbeSource.Settings<>(
            "settle-probe", settle::look, _ -> true, SettleProbe::applies, SettleProbe.PERIOD),
        context);
  }

  /** Looks how all kube-apiservers do while somebody inside restarts agents. */
  public EventSource<?, ControlPlane> gates(EventSourceContext<ControlPlane> context) {
    return ProbeSource.of(
        AgentGateProbe.Looked.class,
        new ProbeSource.Settings<>(
            "agent-gate-probe",
            agents::look,
            _ -> true,
            GuardProbe::applies,
            AgentGateProbe.PERIOD),
        context);
  }

  /** Asks how often node Leases are renewed; another rate brings the reconciler back. */
  public EventSource<?, ControlPlane> renewals(EventSourceContext<ControlPlane> context) {
    return ProbeSource.of(
        LeaseRate.class,
        new ProbeSource.Settings<>(
            "lease-rate-probe",
            renewals::look,
            _ -> true,
            GuardProbe::applies,
            LeaseRateProbe.PERIOD),
        context);
  }

  /** Closes the connections to an API that has not answered for a while. */
  public void rest(ControlPlane controlPlane) {
    clusters.find(controlPlane.getMetadata().getUid()).ifPresent(HostedCluster::rest);
  }

  /** Looks through every published endpoint; a change brings the reconciler back. */
  public EventSource<?, ControlPlane> probes(EventSourceContext<ControlPlane> context) {
    return ProbeSource.of(
        EndpointProbe.Result.class,
        new ProbeSource.Settings<>(
            "endpoint-probe",
            probe::probe,
            EndpointProbe.Result::answers,
            _ -> true,
            EndpointProbe.PERIOD),
        context);
  }
}

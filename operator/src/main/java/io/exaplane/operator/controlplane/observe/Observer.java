// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.EndpointSpec;
import io.exaplane.api.v1alpha1.PkiSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.address.KeptAddresses;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.config.OperatorConfig;
import io.exaplane.operator.controlplane.render.Inputs;
import io.exaplane.operator.controlplane.render.Inputs.CertificateEpochs;
import io.exaplane.operator.controlplane.sizing.EffectiveControlPlane;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.move.RouteService;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.ControlPlanePki;
import io.exaplane.operator.pki.PkiResult;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.rotation.RotationEpochs;
import io.exaplane.operator.status.PodEvents;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Looks at what is there, and changes nothing. What the components are made from is complete when
 * the certificates are there, too, which need addresses that only the cluster knows. Thread-safe:
 * keeps nothing.
 */
@ApplicationScoped
public class Observer {
  /**
   * A component that reloads certificates from files does so every 5 minutes at most (client-go's
   * CertCallbackRefreshDuration), after the kubelet has brought the files within about 2. When less
   * is left between renewal and expiry its pods are replaced instead.
   */
  private static final Duration RELOAD_TIME = Duration.ofMinutes(10);

  private final OperatorConfig config;
  private final Clock clock;

  /** For all control planes. */
  public Observer(OperatorConfig config, Clock clock) {
    this.config = config;
    this.clock = clock;
  }

  /** Looks at what is there. */
  public Sighting look(Sized sized, Context<ControlPlane> context) {
    return look(sized, context, () -> context.getClient().nodes().list().getItems());
  }

  /**
   * The same with nodes of another origin.
   *
   * @param nodes the management cluster's, asked for only when a node's address is needed
   */
  public Sighting look(Sized sized, Context<ControlPlane> context, Supplier<List<Node>> nodes) {
    ControlPlane controlPlane = sized.controlPlane().asked();
    Optional<Service> service = service(controlPlane, context);
    EndpointAddress.Result found =
        Outcomes.of(context)
            .read(() -> EndpointAddress.find(controlPlane, service, nodes))
            .orElseGet(() -> unread(controlPlane));
    List<Deployment> deployments = List.copyOf(context.getSecondaryResources(Deployment.class));
    Optional<String> names =
        Sighting.address(service).map(a -> servingNames(controlPlane, a, found));
    TaskOrders orders =
        TaskOrders.of(controlPlane, context.getSecondaryResources(ControlPlaneTask.class));
    return new Sighting(
        sized,
        shards(sized.controlPlane(), context),
        service,
        found,
        publish(controlPlane, found, names, deployments),
        names,
        deployments,
        PodEvents.read(
            context.getSecondaryResources(Pod.class), context.getClient(), clock.instant()),
        scheduling(controlPlane, false, context),
        orders,
        routes(sized, orders, context));
  }

  /** While nodes cannot be read, the address of before counts. */
  private static EndpointAddress.Result unread(ControlPlane controlPlane) {
    return before(controlPlane)
        .map(endpoint -> EndpointAddress.Result.of(endpoint.host(), endpoint.port()))
        .orElseGet(
            () ->
                EndpointAddress.Result.none(
                    Reason.Creating,
                    "The operator cannot read the nodes of the management cluster; see ReconciliationActive."));
  }

  private static RoutesSeen routes(Sized sized, TaskOrders orders, Context<ControlPlane> context) {
    return RoutesSeen.of(
        sized.controlPlane().asked(),
        context.getSecondaryResources(Service.class),
        orders,
        sized.controlPlane().spec().storage());
  }

  /** What was seen, with the certificates that there are for it. */
  public Observed complete(Sighting seen, PkiResult pki) {
    ControlPlane controlPlane = seen.sized().controlPlane().asked();
    return new Observed(
        seen.sized(),
        seen.shards(),
        seen.service().flatMap(KeptAddresses::of),
        seen.published().endpoint(),
        seen.published().problem().or(() -> EndpointAddress.lost(controlPlane, seen.service())),
        pki,
        inputs(seen, pki),
        seen.deployments(),
        seen.pods(),
        seen.scheduling(),
        seen.orders(),
        seen.routes());
  }

  /** What there is while nothing was made yet, or the spec is paused: as status tells it. */
  public Observed held(Sized sized, PkiResult pki, Context<ControlPlane> context) {
    ControlPlane controlPlane = sized.controlPlane().asked();
    Optional<Endpoint> endpoint = before(controlPlane);
    return new Observed(
        sized,
        shards(sized.controlPlane(), context),
        service(controlPlane, context).flatMap(KeptAddresses::of),
        endpoint,
        endpoint.isPresent()
            ? Optional.empty()
            : Optional.of(
                new Problem(
                    Reason.Creating,
                    "The operator creates the endpoint when the spec is valid and not paused; see "
                        + "ConfigurationValid and ReconciliationActive.")),
        pki,
        Optional.empty(),
        List.copyOf(context.getSecondaryResources(Deployment.class)),
        List.copyOf(context.getSecondaryResources(Pod.class)),
        scheduling(controlPlane, true, context),
        TaskOrders.NONE,
        routes(sized, TaskOrders.NONE, context));
  }

  /** Stands for the names that the apiservers' certificate is to have. */
  private static String servingNames(
      ControlPlane controlPlane, String serviceAddress, EndpointAddress.Result found) {
    List<String> published =
        found.endpoint().or(() -> before(controlPlane)).map(Endpoint::host).stream().toList();
    String names =
        String.join(",", ControlPlanePki.apiServerNames(controlPlane, serviceAddress, published));
    return Integer.toHexString(names.hashCode());
  }

  private static Optional<Endpoint> before(ControlPlane controlPlane) {
    return Optional.ofNullable(controlPlane.getStatus()).map(ControlPlaneStatus::endpoint);
  }

  /**
   * What clients are told. An address that is away for a moment stays, and another one takes its
   * place when every apiserver serves a certificate for it.
   */
  static EndpointAddress.Result publish(
      ControlPlane controlPlane,
      EndpointAddress.Result found,
      Optional<String> names,
      List<Deployment> deployments) {
    Optional<Endpoint> before = before(controlPlane);
    if (found.endpoint().isEmpty() || before.isEmpty() || before.equals(found.endpoint())) {
      return new EndpointAddress.Result(found.endpoint().or(() -> before), found.problem());
    }
    String name = new ControlPlaneNames(controlPlane).component(ControlPlaneNames.API_SERVER);
    boolean served =
        deployments.stream()
            .filter(d -> d.getMetadata().getName().equals(name))
            .allMatch(
                d ->
                    Rollout.isComplete(d)
                        && Rollout.certificateEpoch(d).startsWith(names.orElse("")));
    return served
        ? found
        : new EndpointAddress.Result(
            before,
            Optional.of(
                new Problem(
                    Reason.RollingOut,
                    "%s replaces %s when every apiserver has the certificate for the new address. No action is needed."
                        .formatted(found.endpoint().get().host(), before.get().host()))));
  }

  private static Optional<Service> service(
      ControlPlane controlPlane, Context<ControlPlane> context) {
    String name = new ControlPlaneNames(controlPlane).component(ControlPlaneNames.API_SERVER);
    return context
        .getSecondaryResourcesAsStream(Service.class)
        .filter(s -> s.getMetadata().getName().equals(name))
        .findFirst();
  }

  private static Scheduling scheduling(
      ControlPlane controlPlane, boolean hold, Context<ControlPlane> context) {
    return Scheduling.of(
        controlPlane, List.copyOf(context.getSecondaryResources(SchedulerPool.class)), hold);
  }

  private static List<StoreShard> shards(
      EffectiveControlPlane controlPlane, Context<ControlPlane> context) {
    ControlPlaneNames names = controlPlane.names();
    Map<String, StoreShard> byName =
        context
            .getSecondaryResourcesAsStream(StoreShard.class)
            .collect(Collectors.toMap(s -> s.getMetadata().getName(), Function.identity()));
    return StorageSpec.stores(controlPlane.spec().storage()).stream()
        .map(store -> Optional.ofNullable(byName.get(names.shard(store.name()))))
        .flatMap(Optional::stream)
        .toList();
  }

  /** What the components are made from, once stores, addresses and certificates are all known. */
  private Optional<Inputs> inputs(Sighting seen, PkiResult pki) {
    Sized sized = seen.sized();
    ControlPlane controlPlane = sized.controlPlane().asked();
    Optional<String> serviceAddress = seen.serviceAddress();
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    List<Inputs.Store> stores = new ArrayList<>();
    for (StoreTemplate template : StorageSpec.stores(sized.controlPlane().spec().storage())) {
      Optional<StoreShard> shard =
          seen.shards().stream()
              .filter(s -> s.getMetadata().getName().equals(names.shard(template.name())))
              .findFirst();
      boolean critical = template.effectiveCriticality() == Criticality.Critical;
      String url = seen.storeUrl(names.shard(template.name())).orElse(null);
      String dataId = shard.map(StoreShard::getStatus).map(s -> s.dataId()).orElse(null);
      if (url == null || (critical && dataId == null)) {
        return Optional.empty();
      }
      stores.add(new Inputs.Store(template.name(), critical, url, dataId));
    }
    boolean issued =
        pki.epochs()
            .keySet()
            .containsAll(
                List.of(
                    names.componentSecret(ControlPlaneNames.API_SERVER),
                    names.componentSecret(ControlPlaneNames.CONTROLLER_MANAGER),
                    names.componentSecret(ControlPlaneNames.SCHEDULER)));
    if (sized.tuned().isEmpty()
        || serviceAddress.isEmpty()
        || pki.problem().isPresent()
        || !issued) {
      return Optional.empty();
    }
    return Optional.of(
        new Inputs(
            sized,
            new Images(config, controlPlane.getSpec().images()),
            serviceAddress.get(),
            EndpointSpec.of(controlPlane.getSpec().endpoint()).port(),
            stores,
            epochs(controlPlane, seen.servingNames().orElseThrow(), pki),
            seen.orders(),
            routes(seen)));
  }

  private static List<Inputs.Route> routes(Sighting seen) {
    return seen.routes().routes().stream()
        .map(
            route ->
                new Inputs.Route(
                    route.resource(),
                    RouteService.url(route.address()),
                    route.store(),
                    seen.routes().told(route.resource()).map(RouteService::url).orElse(null)))
        .toList();
  }

  /** Whether pods are replaced when certificates are renewed, since they would reload them late. */
  public static boolean replacesForRenewal(ControlPlane controlPlane) {
    Duration left = PkiSpec.leafValidity(controlPlane.getSpec().pki()).dividedBy(3);
    return left.compareTo(RELOAD_TIME) < 0;
  }

  /**
   * Apiservers read a renewed certificate by themselves; they are replaced for one with other
   * names, so that it is known when all of them serve it.
   */
  private static CertificateEpochs epochs(
      ControlPlane controlPlane, String servingNames, PkiResult pki) {
    RotationEpochs rotation =
        pki.authorities().map(Authorities::epochs).orElse(RotationEpochs.NONE);
    if (!replacesForRenewal(controlPlane)) {
      return new CertificateEpochs(servingNames, "", "", rotation);
    }
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    return new CertificateEpochs(
        servingNames + "-" + pki.epochs().get(names.componentSecret(ControlPlaneNames.API_SERVER)),
        pki.epochs().get(names.componentSecret(ControlPlaneNames.CONTROLLER_MANAGER)),
        pki.epochs().get(names.componentSecret(ControlPlaneNames.SCHEDULER)),
        rotation);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
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
import io.exaplane.operator.controlplane.retention.KeysRecord;
import io.exaplane.operator.controlplane.retention.RetainedData;
import io.exaplane.operator.controlplane.sizing.EffectiveControlPlane;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.net.IpAddresses;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.ControlPlanePki;
import io.exaplane.operator.pki.Ownership;
import io.exaplane.operator.pki.PkiReconciler;
import io.exaplane.operator.pki.PkiResult;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.status.PodEvents;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Looks at what is there and brings the certificates up to date, which need addresses that only the
 * cluster knows. Thread-safe: keeps nothing.
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

  Observer(OperatorConfig config, Clock clock) {
    this.config = config;
    this.clock = clock;
  }

  public Observed observe(Sized sized, Context<ControlPlane> context) {
    ControlPlane controlPlane = sized.controlPlane().asked();
    Optional<Service> service = service(controlPlane, context);
    Optional<String> serviceAddress = address(service);
    EndpointAddress.Result found =
        EndpointAddress.find(
            controlPlane, service, () -> context.getClient().nodes().list().getItems());
    List<Deployment> deployments = List.copyOf(context.getSecondaryResources(Deployment.class));
    Optional<String> names = serviceAddress.map(a -> servingNames(controlPlane, a, found));
    EndpointAddress.Result endpoint = publish(controlPlane, found, names, deployments);
    List<StoreShard> shards = shards(sized.controlPlane(), context);
    PkiResult pki = pki(sized, context, shards, serviceAddress, found, endpoint.endpoint());
    Optional<Inputs> inputs = inputs(sized, serviceAddress, names, shards, pki);
    return new Observed(
        sized,
        shards,
        service.flatMap(KeptAddresses::of),
        endpoint.endpoint(),
        endpoint.problem().or(() -> EndpointAddress.lost(controlPlane, service)),
        pki,
        inputs,
        deployments,
        PodEvents.read(
            context.getSecondaryResources(Pod.class), context.getClient(), clock.instant()),
        scheduling(controlPlane, false, context));
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
  private static EndpointAddress.Result publish(
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

  private static Optional<String> address(Optional<Service> service) {
    return service.map(s -> s.getSpec().getClusterIP()).filter(ip -> !ip.isEmpty());
  }

  /** Looks without changing anything: while nothing was made yet, or the spec is paused. */
  public Observed look(Sized sized, Context<ControlPlane> context) {
    ControlPlane controlPlane = sized.controlPlane().asked();
    Optional<ControlPlaneStatus> status = Optional.ofNullable(controlPlane.getStatus());
    Map<String, Secret> secrets = secrets(controlPlane, context);
    PkiResult pki =
        new PkiResult(
            new PkiReconciler(controlPlane, context.getClient(), secrets::get, false, clock)
                .existing(),
            Optional.empty(),
            status.map(ControlPlaneStatus::certificates).orElse(List.of()),
            Set.copyOf(secrets.keySet()),
            List.of(),
            Map.of(),
            Optional.empty());
    return new Observed(
        sized,
        shards(sized.controlPlane(), context),
        service(controlPlane, context).flatMap(KeptAddresses::of),
        status.map(ControlPlaneStatus::endpoint),
        status.map(ControlPlaneStatus::endpoint).isPresent()
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
        scheduling(controlPlane, true, context));
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

  private PkiResult pki(
      Sized sized,
      Context<ControlPlane> context,
      List<StoreShard> shards,
      Optional<String> serviceAddress,
      EndpointAddress.Result found,
      Optional<Endpoint> endpoint) {
    ControlPlane controlPlane = sized.controlPlane().asked();
    PkiReconciler pki =
        new PkiReconciler(
            controlPlane,
            context.getClient(),
            secrets(controlPlane, context)::get,
            RetainedData.isKept(sized.controlPlane().spec().storage()),
            clock);
    if (PkiReconciler.isNew(controlPlane)) {
      RetainedData.problem(sized.controlPlane(), context.getClient()).ifPresent(pki::refuse);
    }
    Outcomes outcomes = Outcomes.of(context);
    Optional<Authorities> authorities = outcomes.attempt(pki::authorities).orElse(Optional.empty());
    authorities.ifPresent(
        known -> {
          outcomes.attempt(() -> KeysRecord.write(controlPlane, context.getClient()));
          ControlPlanePki plans =
              new ControlPlanePki(
                  controlPlane, known, compression(sized, secrets(controlPlane, context)));
          ControlPlaneNames names = new ControlPlaneNames(controlPlane);
          for (StoreTemplate store : StorageSpec.stores(sized.controlPlane().spec().storage())) {
            url(shards, names.shard(store.name()))
                .ifPresent(
                    url ->
                        outcomes.attempt(
                            () -> pki.ensure(plans.store(store.name(), literal(URI.create(url))))));
          }
          serviceAddress.ifPresent(
              address -> {
                int port = EndpointSpec.of(controlPlane.getSpec().endpoint()).port();
                String server = "https://" + IpAddresses.urlHost(address) + ":" + port;
                List<String> hosts =
                    Stream.concat(found.endpoint().stream(), endpoint.stream())
                        .map(Endpoint::host)
                        .toList();
                outcomes.attempt(() -> pki.ensure(plans.apiServer(address, hosts)));
                outcomes.attempt(() -> pki.ensure(plans.controllerManager(server)));
                outcomes.attempt(() -> pki.ensure(plans.scheduler(server)));
              });
          endpoint.ifPresent(
              e ->
                  outcomes.attempt(
                      () ->
                          pki.ensure(
                              plans.adminKubeconfig(
                                  "https://" + IpAddresses.urlHost(e.host()) + ":" + e.port()))));
        });
    if (!outcomes.refusals().isEmpty()) {
      pki.keepWhatIsKnown();
    }
    return pki.result(authorities);
  }

  /**
   * The control plane's Secrets. Those of one of the same name that was removed may be there still,
   * and are none of this one's.
   */
  private static Map<String, Secret> secrets(
      ControlPlane controlPlane, Context<ControlPlane> context) {
    return context
        .getSecondaryResourcesAsStream(Secret.class)
        .filter(secret -> Ownership.isOf(secret, controlPlane))
        .collect(Collectors.toMap(s -> s.getMetadata().getName(), Function.identity()));
  }

  /** The host of a URL without the brackets of an IPv6 address. */
  private static String literal(URI url) {
    return url.getHost().replaceAll("[\\[\\]]", "");
  }

  private static Optional<String> url(List<StoreShard> shards, String name) {
    return shards.stream()
        .filter(shard -> shard.getMetadata().getName().equals(name))
        .findFirst()
        .map(StoreShard::getStatus)
        .map(status -> status.endpoint());
  }

  /** What the components are made from, once stores, addresses and certificates are all known. */
  private Optional<Inputs> inputs(
      Sized sized,
      Optional<String> serviceAddress,
      Optional<String> servingNames,
      List<StoreShard> shards,
      PkiResult pki) {
    ControlPlane controlPlane = sized.controlPlane().asked();
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    List<Inputs.Store> stores = new ArrayList<>();
    for (StoreTemplate template : StorageSpec.stores(sized.controlPlane().spec().storage())) {
      Optional<StoreShard> shard =
          shards.stream()
              .filter(s -> s.getMetadata().getName().equals(names.shard(template.name())))
              .findFirst();
      boolean critical = template.effectiveCriticality() == Criticality.Critical;
      String url = url(shards, names.shard(template.name())).orElse(null);
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
            epochs(controlPlane, servingNames.orElseThrow(), pki)));
  }

  /** Whether clients are to ask for compressed responses; as before while the model is silent. */
  private static boolean compression(Sized sized, Map<String, Secret> secrets) {
    if (sized.tuned().isPresent()) {
      return !sized.tuned().get().disablesCompression();
    }
    String name = sized.controlPlane().names().adminKubeconfig();
    return Optional.ofNullable(secrets.get(name))
        .map(Secret::getData)
        .map(data -> data.get("kubeconfig"))
        .map(encoded -> new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8))
        .filter(kubeconfig -> kubeconfig.contains("disable-compression: true"))
        .isEmpty();
  }

  /**
   * Apiservers read a renewed certificate by themselves; they are replaced for one with other
   * names, so that it is known when all of them serve it.
   */
  private static CertificateEpochs epochs(
      ControlPlane controlPlane, String servingNames, PkiResult pki) {
    Duration left = PkiSpec.leafValidity(controlPlane.getSpec().pki()).dividedBy(3);
    if (left.compareTo(RELOAD_TIME) >= 0) {
      return new CertificateEpochs(servingNames, "", "");
    }
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    return new CertificateEpochs(
        servingNames + "-" + pki.epochs().get(names.componentSecret(ControlPlaneNames.API_SERVER)),
        pki.epochs().get(names.componentSecret(ControlPlaneNames.CONTROLLER_MANAGER)),
        pki.epochs().get(names.componentSecret(ControlPlaneNames.SCHEDULER)));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.certificate;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.api.v1alpha1.EndpointSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.PkiSpec;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.controlplane.observe.Sighting;
import io.exaplane.operator.controlplane.retention.KeysRecord;
import io.exaplane.operator.controlplane.retention.RetainedData;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.hosted.Rewrites;
import io.exaplane.operator.hosted.SeenInside;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.net.IpAddresses;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.ControlPlanePki;
import io.exaplane.operator.pki.Ownership;
import io.exaplane.operator.pki.PkiReconciler;
import io.exaplane.operator.pki.PkiResult;
import io.exaplane.operator.rotation.Outside;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Brings the certificates of a control plane up to date, after a look at its addresses and before
 * anything is made that needs them. Thread-safe: keeps nothing.
 */
@ApplicationScoped
public class CertificateStep {
  private final Clock clock;
  private final SeenInside inside;
  private final Rewrites rewrites;

  /** For all control planes. */
  public CertificateStep(Clock clock, SeenInside inside, Rewrites rewrites) {
    this.clock = clock;
    this.rewrites = rewrites;
    this.inside = inside;
  }

  /**
   * Issues what the addresses that were seen allow, and renews what is due. A write that is refused
   * is among the pass's outcomes. Rotations make their next steps after everything was issued.
   *
   * @param held whether the spec cannot be carried out: then no rotation makes a step
   */
  public PkiResult bringUpToDate(Sighting seen, boolean held, Context<ControlPlane> context) {
    Sized sized = seen.sized();
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
    authorities.ifPresent(known -> issue(pki, known, seen, context));
    if (!outcomes.refusals().isEmpty()) {
      pki.keepWhatIsKnown();
    }
    boolean whole = !held && outcomes.refusals().isEmpty();
    Outside outside =
        authorities
            .map(
                known ->
                    FollowingNodes.of(
                        controlPlane, known.caKey(), context.getSecondaryResources(NodePool.class)))
            .orElse(Outside.NONE);
    authorities.ifPresent(
        known ->
            outcomes.attempt(() -> rotate(pki, known, seen, whole, outside, context.getClient())));
    return pki.result(authorities);
  }

  private void rotate(
      PkiReconciler pki,
      Authorities known,
      Sighting seen,
      boolean allowed,
      Outside outside,
      KubernetesClient client) {
    ControlPlane controlPlane = seen.sized().controlPlane().asked();
    pki.rotate(
        known,
        seen.orders().rotation(PkiSpec.rotation(controlPlane.getSpec().pki())),
        RotationProgress.remaining(seen, known),
        inside.trustsOnly(controlPlane.getMetadata().getUid(), known.trusted()),
        allowed,
        outside,
        rewrites
            .of(controlPlane.getMetadata().getUid())
            .by(
                RotationProgress.servers(seen, known),
                () -> RotationProgress.servers(live(seen, client), known)));
  }

  /** With kube-apiservers as the API server has them. */
  private static Sighting live(Sighting seen, KubernetesClient client) {
    ControlPlaneNames names = seen.sized().controlPlane().names();
    String namespace = seen.sized().controlPlane().asked().getMetadata().getNamespace();
    return seen.with(
        Stream.ofNullable(
                client
                    .apps()
                    .deployments()
                    .inNamespace(namespace)
                    .withName(names.component(ControlPlaneNames.API_SERVER))
                    .get())
            .toList(),
        client
            .pods()
            .inNamespace(namespace)
            .withLabels(names.selector(ControlPlaneNames.API_SERVER))
            .list()
            .getItems());
  }

  private void issue(
      PkiReconciler pki, Authorities known, Sighting seen, Context<ControlPlane> context) {
    Sized sized = seen.sized();
    ControlPlane controlPlane = sized.controlPlane().asked();
    ControlPlaneNames names = sized.controlPlane().names();
    Outcomes outcomes = Outcomes.of(context);
    seen.orders().leavesSince().ifPresent(pki::issueAgain);
    outcomes.attempt(() -> KeysRecord.write(controlPlane, context.getClient()));
    ControlPlanePki plans =
        new ControlPlanePki(
            controlPlane, known, compression(sized, secrets(controlPlane, context)));
    for (StoreTemplate store : StorageSpec.stores(sized.controlPlane().spec().storage())) {
      seen.storeUrl(names.shard(store.name()))
          .ifPresent(
              url ->
                  outcomes.attempt(
                      () ->
                          pki.ensure(
                              plans.store(
                                  store.name(), hosts(literal(URI.create(url)), store, seen)))));
    }
    Optional<Endpoint> endpoint = seen.published().endpoint();
    seen.serviceAddress()
        .ifPresent(
            address -> {
              int port = EndpointSpec.of(controlPlane.getSpec().endpoint()).port();
              String server = url(address, port);
              List<String> hosts =
                  Stream.concat(seen.found().endpoint().stream(), endpoint.stream())
                      .map(Endpoint::host)
                      .toList();
              outcomes.attempt(() -> pki.ensure(plans.apiServer(address, hosts)));
              outcomes.attempt(() -> pki.ensure(plans.controllerManager(server)));
              outcomes.attempt(() -> pki.ensure(plans.scheduler(server)));
            });
    String group =
        AdminGroup.of(
            controlPlane,
            secrets(controlPlane, context).get(names.adminKubeconfig()),
            known,
            wanted -> inside.isBound(controlPlane.getMetadata().getUid(), wanted));
    endpoint.ifPresent(
        e ->
            outcomes.attempt(
                () -> pki.ensure(plans.adminKubeconfig(url(e.host(), e.port()), group))));
  }

  /** A store's own address, and those of resources that may be led to it. */
  private static List<String> hosts(String own, StoreTemplate store, Sighting seen) {
    return Stream.concat(Stream.of(own), seen.routes().addresses(store).stream()).toList();
  }

  private static String url(String host, int port) {
    return "https://" + IpAddresses.urlHost(host) + ":" + port;
  }

  /** What there is, with nothing issued: while nothing was made yet, or the spec is paused. */
  public PkiResult look(ControlPlane controlPlane, Context<ControlPlane> context) {
    Map<String, Secret> secrets = secrets(controlPlane, context);
    return new PkiResult(
        new PkiReconciler(controlPlane, context.getClient(), secrets::get, false, clock).existing(),
        Optional.empty(),
        Optional.ofNullable(controlPlane.getStatus())
            .map(ControlPlaneStatus::certificates)
            .orElse(List.of()),
        Set.copyOf(secrets.keySet()),
        List.of(),
        Map.of(),
        Optional.empty());
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
}

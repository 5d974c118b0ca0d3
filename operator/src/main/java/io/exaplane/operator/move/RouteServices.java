// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.outcome.AwaitedException;
import io.exaplane.operator.pki.CertificateAuthority;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** The Services of resources that move, by the API server. Keeps nothing, and is thread-safe. */
@ApplicationScoped
public class RouteServices implements Routes {
  private final Clock clock;

  RouteServices(Clock clock) {
    this.clock = clock;
  }

  @Override
  public RouteState prepare(
      ControlPlane controlPlane, ResourceRef resource, String fromStore, Context<?> context) {
    KubernetesClient client = context.getClient();
    Service service =
        existing(controlPlane, resource, client)
            .orElseGet(() -> RouteService.create(controlPlane, resource, fromStore, client));
    String store = RouteService.store(service, controlPlane).orElse(null);
    Optional<String> address = RouteService.address(service);
    if (address.isEmpty()) {
      return new RouteState(
          false,
          null,
          store,
          "Service %s has no address yet. No action is needed."
              .formatted(service.getMetadata().getName()));
    }
    Optional<String> missing = objection(controlPlane, address.get(), client);
    return new RouteState(missing.isEmpty(), address.get(), store, missing.orElse(null));
  }

  @Override
  public void select(
      ControlPlane controlPlane, ResourceRef resource, String store, Context<?> context) {
    KubernetesClient client = context.getClient();
    Optional<Service> there = existing(controlPlane, resource, client);
    if (there.isEmpty()) {
      RouteService.create(controlPlane, resource, store, client);
      return;
    }
    if (!RouteService.leadsTo(there.get(), store, controlPlane)) {
      select(there.get(), controlPlane, store, client);
    }
  }

  /**
   * Lets a Service lead to another store.
   *
   * @param seen refused by the API server if it is not the newest: another look may have decided
   *     otherwise
   * @return what there is then
   */
  public static Service select(
      Service seen, ControlPlane controlPlane, String store, KubernetesClient client) {
    return client
        .resource(seen)
        .patch(
            PatchContext.of(PatchType.JSON),
            selection(
                new ControlPlaneNames(controlPlane).shard(store),
                seen.getMetadata().getResourceVersion()));
  }

  /** A JSON patch: this selector alone, in place of whatever that version has. */
  private static String selection(String shard, String version) {
    return "[{\"op\":\"test\",\"path\":\"/metadata/resourceVersion\",\"value\":\"%s\"},{\"op\":\"add\",\"path\":\"/spec/selector\",\"value\":{\"%s\":\"%s\"}}]"
        .formatted(version, StoreNames.SHARD_LABEL, shard);
  }

  /** By the API server, since a cache may be behind; only the control plane's own. */
  private static Optional<Service> existing(
      ControlPlane controlPlane, ResourceRef resource, KubernetesClient client) {
    return Optional.ofNullable(
            client
                .services()
                .inNamespace(controlPlane.getMetadata().getNamespace())
                .withName(new ControlPlaneNames(controlPlane).route(resource))
                .get())
        .filter(service -> service.hasOwnerReferenceFor(controlPlane))
        .filter(service -> service.getMetadata().getDeletionTimestamp() == null);
  }

  /** Asks all stores that a resource could ever be in at once. */
  private Optional<String> objection(
      ControlPlane controlPlane, String address, KubernetesClient client) {
    CertificateAuthority authority;
    try {
      authority = StoreTarget.authority(controlPlane, client, clock);
    } catch (IOException e) {
      return Optional.of(
          "The CA of the stores is missing. See the condition CertificatesValid of the"
              + " ControlPlane.");
    }
    List<FutureTask<Optional<String>>> asking = new ArrayList<>();
    for (StoreShard shard : stores(controlPlane, client)) {
      FutureTask<Optional<String>> one =
          new FutureTask<>(() -> objection(shard, authority, address));
      asking.add(one);
      Thread.ofVirtual().name("route-certificate").start(one);
    }
    try {
      Optional<String> first = Optional.empty();
      for (FutureTask<Optional<String>> one : asking) {
        Optional<String> found = one.get();
        first = first.or(() -> found);
      }
      return first;
    } catch (ExecutionException e) {
      throw new AwaitedException("a store could not be asked for its certificate", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("The operator ends, and another one asks the stores.");
    }
  }

  private static List<StoreShard> stores(ControlPlane controlPlane, KubernetesClient client) {
    return client
        .resources(StoreShard.class)
        .inNamespace(controlPlane.getMetadata().getNamespace())
        .withLabels(new ControlPlaneNames(controlPlane).labels())
        .list()
        .getItems()
        .stream()
        .filter(shard -> shard.hasOwnerReferenceFor(controlPlane))
        .filter(shard -> shard.getSpec().engine() != StoreEngine.Etcd)
        .filter(StoreNames::isPersistent)
        .toList();
  }

  private static Optional<String> objection(
      StoreShard shard, CertificateAuthority authority, String address) {
    String name = shard.getMetadata().getName();
    return Optional.ofNullable(shard.getStatus())
        .map(StoreShardStatus::endpoint)
        .map(URI::create)
        .map(
            url ->
                RouteCertificates.objection(
                    url.getHost().replaceAll("[\\[\\]]", ""), url.getPort(), authority, address))
        .orElse(Optional.of("has no address yet"))
        .map(
            why ->
                "StoreShard %s %s. If this persists for 5 minutes, see its condition Ready and the Secret %s-tls."
                    .formatted(name, why, name));
  }
}

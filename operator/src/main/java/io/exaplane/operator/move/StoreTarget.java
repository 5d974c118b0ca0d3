// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.hosted.PeerTls;
import io.exaplane.operator.hosted.ProbeClient;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.Leaf;
import io.exaplane.operator.pki.Ownership;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Where a store of a control plane is, and a certificate that its pages /moves let in. Both are
 * read again once in a while: the store's Service may be another one. Thread-safe.
 */
final class StoreTarget implements StoreMovesClient.Where {
  /** In the subject of who may use the pages, beside the name of the stores' one client. */
  static final String MOVER = "exaplane:mover";

  private static final Duration KEPT = Duration.ofSeconds(30);

  /** What the operator shows to a store. */
  static final Leaf LEAF = Leaf.client(ControlPlaneNames.STORE_CLIENT, MOVER, Duration.ofHours(1));

  private final KubernetesClient client;
  private final Clock clock;
  private final ControlPlane controlPlane;
  private final String store;
  private StoreMovesClient.Target known;
  private Instant readAt = Instant.MIN;

  StoreTarget(ControlPlane controlPlane, String store, KubernetesClient client, Clock clock) {
    this.client = client;
    this.clock = clock;
    this.controlPlane = controlPlane;
    this.store = store;
  }

  @Override
  public synchronized StoreMovesClient.Target target() throws IOException {
    Instant now = clock.instant();
    if (known == null || now.isAfter(readAt.plus(KEPT))) {
      try {
        known = read(known == null ? null : known.peer());
        readAt = now;
      } catch (KubernetesClientException e) {
        if (known == null) {
          throw new IOException("the API server does not say where the store is", e);
        }
      }
    }
    return known;
  }

  private StoreMovesClient.Target read(PeerTls.Peer before) throws IOException {
    String name = new ControlPlaneNames(controlPlane).shard(store);
    StoreShard shard =
        client
            .resources(StoreShard.class)
            .inNamespace(controlPlane.getMetadata().getNamespace())
            .withName(name)
            .get();
    if (shard == null || !shard.hasOwnerReferenceFor(controlPlane)) {
      throw new StoreGoneException(name);
    }
    URI url =
        Optional.ofNullable(shard.getStatus())
            .map(StoreShardStatus::endpoint)
            .map(URI::create)
            .orElseThrow(() -> new IOException("the store has no address yet"));
    return new StoreMovesClient.Target(
        url.getHost().replaceAll("[\\[\\]]", ""), url.getPort(), peer(before));
  }

  /** The one of before, for as long as it is good for the CA of now. */
  private PeerTls.Peer peer(PeerTls.Peer before) throws IOException {
    CertificateAuthority authority = authority(controlPlane, client, clock);
    if (before != null && authority.serves(before.own(), LEAF)) {
      return before;
    }
    return new PeerTls.Peer(
        authority.issue(LEAF), ProbeClient.trust(authority.ca().certificatePem()));
  }

  /**
   * The CA of a control plane's stores.
   *
   * @throws IOException if the Secret does not have it now
   */
  static CertificateAuthority authority(
      ControlPlane controlPlane, KubernetesClient client, Clock clock) throws IOException {
    String name = new ControlPlaneNames(controlPlane).storeCa();
    Secret secret =
        client
            .secrets()
            .inNamespace(controlPlane.getMetadata().getNamespace())
            .withName(name)
            .get();
    return Optional.ofNullable(secret)
        .filter(there -> Ownership.isOf(there, controlPlane))
        .flatMap(there -> Authorities.in(there, clock))
        .orElseThrow(() -> new IOException("the Secret %s has no CA".formatted(name)));
  }
}

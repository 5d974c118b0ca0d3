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
import org.jboss.logging.Logger;

/**
 * Where a store of a control plane is, and a certificate that its pages /moves let in. Both are
 * read again once in a while: the store's Service may be another one. Only the first request waits
 * for that. Later ones use what is known, since clients may wait for them. Thread-safe.
 */
final class StoreTarget implements StoreMovesClient.Where {
  private static final Logger LOG = Logger.getLogger(StoreTarget.class);

  /** In the subject of who may use the pages, beside the name of the stores' one client. */
  static final String MOVER = "exaplane:mover";

  private static final Duration KEPT = Duration.ofSeconds(30);

  /** What the operator shows to a store. */
  static final Leaf LEAF = Leaf.client(ControlPlaneNames.STORE_CLIENT, MOVER, Duration.ofHours(1));

  /** Reads where a store is. */
  interface Reader {
    /**
     * Asks the API server.
     *
     * @param before what was known; null at first
     */
    StoreMovesClient.Target read(StoreMovesClient.Target before) throws IOException;
  }

  private final Reader reader;
  private final Clock clock;
  private final String store;
  private StoreMovesClient.Target known;
  private StoreGoneException gone;
  private Instant askedAt = Instant.MIN;

  StoreTarget(ControlPlane controlPlane, String store, KubernetesClient client, Clock clock) {
    this(store, clock, before -> read(controlPlane, store, client, clock, before));
  }

  StoreTarget(String store, Clock clock, Reader reader) {
    this.store = store;
    this.clock = clock;
    this.reader = reader;
  }

  @Override
  public synchronized StoreMovesClient.Target target() throws IOException {
    Instant now = clock.instant();
    if (known == null) {
      try {
        known = reader.read(null);
        askedAt = now;
      } catch (KubernetesClientException e) {
        throw new IOException("the API server does not say where the store is", e);
      }
    } else if (gone != null) {
      throw gone;
    } else if (now.isAfter(askedAt.plus(KEPT))) {
      // Also counts if it fails: the next one comes as much later.
      askedAt = now;
      StoreMovesClient.Target before = known;
      Thread.ofVirtual().name("store-target-" + store).start(() -> refresh(before));
    }
    return known;
  }

  private void refresh(StoreMovesClient.Target before) {
    try {
      StoreMovesClient.Target next = reader.read(before);
      synchronized (this) {
        known = next;
      }
    } catch (StoreGoneException e) {
      synchronized (this) {
        gone = e;
      }
    } catch (IOException | KubernetesClientException e) {
      LOG.infof("store %s is asked where it was before: %s", store, e.getMessage());
    }
  }

  private static StoreMovesClient.Target read(
      ControlPlane controlPlane,
      String store,
      KubernetesClient client,
      Clock clock,
      StoreMovesClient.Target before)
      throws IOException {
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
        url.getHost().replaceAll("[\\[\\]]", ""),
        url.getPort(),
        peer(authority(controlPlane, client, clock), before == null ? null : before.peer()));
  }

  /** The one of before, for as long as it is good for the CA of now. */
  private static PeerTls.Peer peer(CertificateAuthority authority, PeerTls.Peer before) {
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

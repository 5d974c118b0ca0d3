// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.hosted.EngineTrust;
import io.exaplane.operator.hosted.PeerTls;
import io.exaplane.operator.hosted.ProbeClient;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.net.IpAddresses;
import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.Leaf;
import io.exaplane.operator.pki.Ownership;
import io.exaplane.operator.probe.BoundedGet;
import io.exaplane.operator.storeshard.dependent.ClearPages;
import io.exaplane.operator.storeshard.dependent.StoreService;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.security.auth.x500.X500Principal;

/**
 * Reads pages of stores. A store whose bundle limits the pages in the clear is asked by TLS at the
 * port of its clients: the operator shows a certificate of its control plane's CA of stores, and
 * believes only who has one for the store's name. No failure leads back to the clear. Any other
 * store is asked in the clear, and nobody before it is known which of both a store is. Thread-safe.
 */
@ApplicationScoped
public class StorePages {
  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** Of a store that nobody asked for so long nothing is kept. */
  private static final Duration MEMORY = Duration.ofHours(1);

  /** What the operator shows to a store. Its group gives no right; the store's log names it. */
  static final Leaf LEAF =
      Leaf.client(ControlPlaneNames.STORE_CLIENT, "exaplane:operator", Duration.ofDays(1));

  private final HttpClient clear = HttpClient.newBuilder().connectTimeout(CONNECT).build();
  private final PeerTls tls = new PeerTls(StorePages::judge);
  private final HttpClient secured = tls.client("store-pages-", CONNECT);

  /** By UID of the StoreShard. */
  private final Map<String, Way> ways = new ConcurrentHashMap<>();

  private final Clock clock;
  private final int clientPort;
  private final int clearPort;

  @Inject
  StorePages(Clock clock) {
    this(clock, StoreService.CLIENT_PORT, StoreService.METRICS_PORT);
  }

  /** Of stores at other ports than theirs. */
  public StorePages(Clock clock, int clientPort, int clearPort) {
    this.clock = clock;
    this.clientPort = clientPort;
    this.clearPort = clearPort;
  }

  /**
   * How a store is asked; not at all if it is to be asked by TLS and there is no certificate.
   *
   * @param isClear whether without TLS
   * @param ca UID and version of the Secret of the CA; "" without a certificate
   * @param peer what is shown to the store, and asked of it, by TLS
   * @param seen when the store was last looked at
   */
  private record Way(boolean isClear, String ca, Optional<PeerTls.Peer> peer, Instant seen) {
    Way at(Instant now) {
      return new Way(isClear, ca, peer, now);
    }
  }

  /**
   * Finds out how a store is asked from now on: by what its pod was made of. While no pod is seen,
   * the store is asked as before, or not at all. Without a Secret of the CA, a store that is to be
   * asked by TLS is asked with the certificate of before, or not at all.
   *
   * @param pods those that carry the store's name
   * @param secrets a Secret of the store's namespace by its name, as it is known
   */
  public void learn(
      StoreShard shard, Collection<Pod> pods, Function<String, Optional<Secret>> secrets) {
    Instant now = clock.instant();
    ways.values().removeIf(each -> each.seen().isBefore(now.minus(MEMORY)));
    Optional<Boolean> limited = isLimited(shard, pods);
    if (limited.isEmpty()) {
      return;
    }
    boolean isClear = !limited.get() || StoreNames.controlPlane(shard).isEmpty();
    Optional<Secret> ca = isClear ? Optional.empty() : ca(shard, secrets);
    ways.compute(
        shard.getMetadata().getUid(),
        (_, before) ->
            isClear
                ? new Way(true, "", Optional.empty(), now)
                : ca.flatMap(secret -> secured(shard.getMetadata().getName(), secret, before, now))
                    .orElseGet(() -> withoutCa(before, now)));
  }

  /** The certificate of before serves on. */
  private static Way withoutCa(Way before, Instant now) {
    return before == null || before.isClear()
        ? new Way(false, "", Optional.empty(), now)
        : before.at(now);
  }

  /** Empty while the store has no pod. */
  private static Optional<Boolean> isLimited(StoreShard shard, Collection<Pod> pods) {
    return pods.stream()
        .filter(pod -> pod.getMetadata().getName().equals(shard.getMetadata().getName() + "-0"))
        .findFirst()
        .map(pod -> ClearPages.areLimited(pod.getSpec()));
  }

  private static Optional<Secret> ca(StoreShard shard, Function<String, Optional<Secret>> secrets) {
    return StoreNames.controlPlane(shard)
        .flatMap(
            owner ->
                secrets
                    .apply(new ControlPlaneNames(owner.getName()).storeCa())
                    .filter(secret -> Ownership.isOf(secret, owner.getUid())));
  }

  private Optional<Way> secured(String name, Secret secret, Way before, Instant now) {
    String version =
        secret.getMetadata().getUid() + " " + secret.getMetadata().getResourceVersion();
    boolean isSame =
        before != null
            && before.ca().equals(version)
            && before.peer().filter(peer -> now.isBefore(peer.own().renewAfter())).isPresent();
    return isSame
        ? Optional.of(before.at(now))
        : Authorities.in(secret, clock)
            .map(authority -> new Way(false, version, Optional.of(peer(authority, name)), now));
  }

  private static PeerTls.Peer peer(CertificateAuthority authority, String name) {
    return new PeerTls.Peer(
        authority.issue(LEAF),
        new NamedStore(ProbeClient.trust(authority.ca().certificatePem()), name));
  }

  /**
   * What is shown to a store, and asked of it; nothing of one that is asked in the clear.
   *
   * @param uid of the StoreShard
   */
  Optional<PeerTls.Peer> peer(String uid) {
    return Optional.ofNullable(ways.get(uid)).flatMap(Way::peer);
  }

  /**
   * Whether a pod of a store was seen, so that the operator knows how the store is asked.
   *
   * @param uid of the StoreShard
   */
  public boolean isKnown(String uid) {
    return ways.containsKey(uid);
  }

  /**
   * One page; nothing if there is no such answer, and of a store that nobody may ask yet.
   *
   * @param uid of the StoreShard
   * @param host of its Service, or of its pod
   * @param path with the query
   * @param most time until the whole page is there
   * @param mostBytes of the page
   * @throws InterruptedException if the thread is to end
   */
  public Optional<String> get(String uid, String host, String path, Duration most, long mostBytes)
      throws InterruptedException {
    String address = host.replaceAll("[\\[\\]]", "");
    Way way = ways.get(uid);
    if (way == null || !way.isClear() && way.peer().isEmpty()) {
      return Optional.empty();
    }
    try {
      if (way.isClear()) {
        URI page = page("http", address, clearPort, path);
        return body(BoundedGet.of(clear, page, most, mostBytes));
      }
      try (PeerTls.Use _ = tls.with(address, clientPort, way.peer().get())) {
        URI page = page("https", address, clientPort, path);
        return body(BoundedGet.of(secured, page, most, mostBytes));
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static URI page(String scheme, String address, int port, String path) {
    return URI.create("%s://%s:%d%s".formatted(scheme, IpAddresses.urlHost(address), port, path));
  }

  private static Optional<String> body(HttpResponse<String> answer) {
    return answer.statusCode() == HttpURLConnection.HTTP_OK
        ? Optional.of(answer.body())
        : Optional.empty();
  }

  @PreDestroy
  void close() {
    clear.shutdownNow();
    secured.shutdownNow();
  }

  private static void judge(
      PeerTls.Peer peer, X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    peer.ca().checkServerTrusted(chain, type, engine);
  }

  /** One store, at whichever address: a pod's own address is in no certificate. */
  private static final class NamedStore extends EngineTrust {
    private final X509ExtendedTrustManager ca;
    private final X500Principal name;

    NamedStore(X509ExtendedTrustManager ca, String name) {
      this.ca = ca;
      this.name = new X500Principal("CN=" + name);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      ca.checkServerTrusted(chain, type);
      if (!name.equals(chain[0].getSubjectX500Principal())) {
        throw new CertificateException("the server has no certificate of this store");
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** Asks stores of our own engine how they are. Thread-safe. */
@ApplicationScoped
public class StoreProbe {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** A store's image may be anybody's. */
  private static final long MOST_BYTES = 4 << 20;

  /** Of a store that did not answer for so long nothing is remembered. */
  private static final Duration MEMORY = Duration.ofHours(1);

  /** As many groups as a store names: those of a prefix are chosen here. */
  private static final String USAGE = "/usage?top=100";

  private final Map<String, StoreHistory> histories = new ConcurrentHashMap<>();
  private final Map<String, Unready> unready = new ConcurrentHashMap<>();
  private final Map<String, LiveStore> lives = new ConcurrentHashMap<>();
  private volatile boolean keepsLives;
  private final Clock clock;
  private final Instant begun;
  private final StorePages pages;

  StoreProbe(Clock clock, StorePages pages) {
    this.clock = clock;
    this.begun = clock.instant();
    this.pages = pages;
  }

  /** A pod's address, and when it was asked. */
  private record Unready(String host, Instant seen) {}

  /** Whether a store can be asked at all. */
  public static boolean applies(StoreShard shard) {
    return shard.getSpec().engine() == StoreEngine.Memory;
  }

  /**
   * Asks once; nothing if the store does not answer. A store without a ready pod is asked at the
   * address of its pod, if that runs; else nobody is asked: a fleet without room would take a
   * connection for each store.
   *
   * @param pods those that carry the store's name
   * @param secrets a Secret of the store's namespace by its name, as it is known
   */
  public Set<StoreUsage> ask(
      StoreShard shard, Collection<Pod> pods, Function<String, Optional<Secret>> secrets) {
    if (!applies(shard)) {
      return Set.of();
    }
    String uid = shard.getMetadata().getUid();
    Optional<String> service = StoreHosts.ofService(shard);
    Optional<String> pod = service.isPresent() ? Optional.empty() : StoreHosts.ofPod(shard, pods);
    Instant now = clock.instant();
    unready.values().removeIf(each -> each.seen().isBefore(now.minus(MEMORY)));
    pod.ifPresentOrElse(
        host -> unready.put(uid, new Unready(host, now)), () -> unready.remove(uid));
    Optional<String> host = service.or(() -> pod);
    host.ifPresent(_ -> pages.learn(shard, pods, secrets));
    return host.flatMap(
            at -> get(uid, at, "/metrics").map(page -> usage(uid, page, () -> holders(uid, at))))
        .orElse(Set.of());
  }

  /**
   * The host of a store whose pod runs without being ready, as {@link #ask} last found it: there is
   * also what only the store counts.
   *
   * @param uid of the StoreShard
   */
  public Optional<String> unready(String uid) {
    return Optional.ofNullable(unready.get(uid)).map(Unready::host);
  }

  /**
   * When a store told of itself for the last time; when this operator began if it never did.
   *
   * @param uid of the StoreShard
   */
  public Instant heard(String uid) {
    return Optional.ofNullable(histories.get(uid)).map(StoreHistory::seen).orElse(begun);
  }

  /** From now on keeps what stores say at each look: somebody shows it. */
  public void keepLives() {
    keepsLives = true;
  }

  /**
   * What a store said when it was last asked; nothing if nobody keeps that.
   *
   * @param uid of the StoreShard
   */
  public Optional<LiveStore> live(String uid) {
    return Optional.ofNullable(lives.get(uid));
  }

  private Optional<SpaceHolders> holders(String uid, String host) {
    return get(uid, host, USAGE).flatMap(SpaceHolders::parse);
  }

  /** One page; nothing if there is no answer: Ready tells of a store that does not answer. */
  private Optional<String> get(String uid, String host, String path) {
    try {
      return pages.get(uid, host, path, TIMEOUT, MOST_BYTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /**
   * What a page of metrics says, and what it says with the ones before.
   *
   * @param holders asks the store who holds its space, which it has to add up; asked when space is
   *     scarce, and that is to be told
   */
  Set<StoreUsage> usage(String uid, String text, Supplier<Optional<SpaceHolders>> holders) {
    Instant now = clock.instant();
    histories.values().removeIf(each -> each.seen().isBefore(now.minus(MEMORY)));
    Optional<StorePage> seen = parse(text);
    if (keepsLives) {
      lives.values().removeIf(each -> each.at().isBefore(now.minus(MEMORY)));
      seen.ifPresent(
          page -> lives.compute(uid, (_, before) -> LiveStore.of(page, text, before, now)));
    }
    return seen.map(page -> StoreUsage.of(page, remember(uid, page, now, holders)))
        .map(Set::of)
        .orElse(Set.of());
  }

  private static Optional<StorePage> parse(String text) {
    try {
      return StorePage.parse(text);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private StoreHistory remember(
      String uid, StorePage page, Instant now, Supplier<Optional<SpaceHolders>> holders) {
    StoreHistory known =
        histories.merge(uid, StoreHistory.begin(page, now), (before, _) -> before.next(page, now));
    if (!known.space().wantsHolders(now)) {
      return known;
    }
    StoreHistory asked = known.with(holders.get());
    histories.put(uid, asked);
    return asked;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.lease.LeaseWatch;
import io.exaplane.operator.probe.ProbeFailure;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.VersionInfo;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Asks who is in charge of a pool's pods, and how its tree is. Thread-safe. */
@ApplicationScoped
public class PoolProbe {
  /** How often each pool is looked at. */
  public static final Duration PERIOD = Duration.ofSeconds(2);

  private final Map<String, LeaseWatch> leases = new ConcurrentHashMap<>();
  private final Map<String, SteadyView> views = new ConcurrentHashMap<>();
  private final Map<String, LiveTree> lives = new ConcurrentHashMap<>();
  private final TreePages pages = new TreePages();
  private volatile boolean keepsLives;
  private final PoolClusters clusters;
  private final Clock clock;

  PoolProbe(PoolClusters clusters, Clock clock) {
    this.clusters = clusters;
    this.clock = clock;
  }

  /**
   * Asks once; nothing as long as the way there is not known, or who has the Lease.
   *
   * @throws IllegalStateException if its thread is interrupted: the pool is gone, and what was seen
   *     must not be taken for another's of its name
   */
  public Set<PoolView> look(SchedulerPool pool) {
    String uid = pool.getMetadata().getUid();
    Optional<PoolView> seen = clusters.client(uid).flatMap(client -> look(pool, uid, client));
    if (Thread.currentThread().isInterrupted()) {
      throw new IllegalStateException("the operator no longer asks about the pool");
    }
    return seen.map(
            now -> views.compute(uid, (_, before) -> SteadyView.next(before, now, clock.instant())))
        .map(SteadyView::view)
        .map(Set::of)
        .orElse(Set.of());
  }

  private Optional<PoolView> look(SchedulerPool pool, String uid, KubernetesClient client) {
    try {
      Lease lease =
          client.leases().inNamespace("kube-system").withName(pool.getSpec().leaseName()).get();
      VersionInfo version = client.getKubernetesVersion();
      String known = version == null ? null : ProbeFailure.version(version.getGitVersion());
      if (known == null) {
        return Optional.of(PoolView.failed(ProbeFailure.ANOTHER_ANSWER));
      }
      Instant now = clock.instant();
      Optional<Boolean> held =
          leases
              .compute(uid, (_, before) -> LeaseWatch.next(before, lease, now))
              .isHeld(lease, PERIOD, now);
      return held.map(is -> view(uid, known, ProbeFailure.name(LeaseWatch.holder(lease)), is));
    } catch (RuntimeException e) {
      // Whatever it is: who throws here is asked no more.
      return Optional.of(PoolView.failed(ProbeFailure.of(e)));
    }
  }

  private PoolView view(String uid, String version, String holder, boolean held) {
    Optional<TreePages.Page> page =
        held ? clusters.root(uid, holder).flatMap(pages::get) : Optional.empty();
    // A pool of the same name elsewhere may have the Lease, whose pods have the same names.
    boolean isAnother = page.filter(TreePages.Page::standsBy).isPresent();
    remember(uid, page.filter(_ -> !isAnother));
    return new PoolView(
        "",
        version,
        isAnother ? holder + " of another namespace or cluster" : holder,
        held,
        page.filter(_ -> !isAnother).map(TreePages.Page::tree));
  }

  private void remember(String uid, Optional<TreePages.Page> page) {
    if (keepsLives && page.isPresent()) {
      lives.put(uid, LiveTree.of(page.get().members(), clock.instant()));
    } else {
      lives.remove(uid);
    }
  }

  /** From now on keeps who is slow at each look: somebody shows it. */
  public void keepLives() {
    keepsLives = true;
  }

  /**
   * Who was slow when the root in charge was last asked; nothing if it did not answer, or if nobody
   * keeps that.
   *
   * @param uid of the SchedulerPool
   */
  public Optional<LiveTree> live(String uid) {
    return Optional.ofNullable(lives.get(uid));
  }

  /** Forgets what was seen of a pool that is gone. */
  public void forget(String uid) {
    lives.remove(uid);
    leases.remove(uid);
    views.remove(uid);
    clusters.forget(uid);
  }
}

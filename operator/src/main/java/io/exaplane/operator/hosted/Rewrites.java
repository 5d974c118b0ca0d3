// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.exaplane.operator.pki.EncryptionKey;
import io.exaplane.operator.pki.Rewriting;
import io.exaplane.operator.rotation.RotatedKey;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * The objects of hosted clusters that are written again with a new key, by the owners' UIDs. Each
 * pass has a bounded number of them written beside it, one after the other; an operator that has
 * just begun begins from the first object, which costs a read where the key is right already.
 * Thread-safe.
 */
@ApplicationScoped
public class Rewrites {
  private static final Logger LOG = Logger.getLogger(Rewrites.class);
  private static final int OBJECTS = 500;
  private static final Duration TIME = Duration.ofSeconds(5);
  private static final Duration AFTER_TROUBLE = Duration.ofSeconds(15);

  private final Map<String, Each> all = new ConcurrentHashMap<>();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("rewrite-", 0).factory());
  private final Clock clock;

  /** For all control planes. */
  public Rewrites(Clock clock) {
    this.clock = clock;
  }

  /** One control plane's; its batches follow each other. */
  private static final class Each {
    private final String id;
    private final RewriteRun run;
    private boolean isUnderWay;
    private Instant notBefore = Instant.MIN;

    Each(String id, RotatedKey key) {
      this.id = id;
      this.run = new RewriteRun(EncryptionKey.resources(key));
    }

    synchronized boolean begin(Instant now) {
      boolean begins = !isUnderWay && !run.isDone() && !now.isBefore(notBefore);
      isUnderWay |= begins;
      return begins;
    }

    synchronized void end(Instant next) {
      isUnderWay = false;
      notBefore = next;
    }
  }

  /** How far the objects of a control plane are. */
  public Rewriting of(String uid) {
    return Optional.ofNullable(all.get(uid))
        .map(
            each ->
                new Rewriting(
                    Optional.of(each.run.progress()),
                    Optional.of(each.id).filter(_ -> each.run.isDone())))
        .orElse(Rewriting.NONE);
  }

  /**
   * Has the next objects written, unless some are being written; begins again if others write than
   * before. Does not wait.
   *
   * @param key whose new key every kube-apiserver uses by now
   * @param servers which kube-apiservers these are
   * @param client of the hosted cluster
   * @param changed called when they are written
   */
  public void follow(
      String uid,
      RotatedKey key,
      String servers,
      Supplier<KubernetesClient> client,
      Runnable changed) {
    String id = EncryptionKey.id(key, servers);
    Each each =
        all.compute(
            uid,
            (_, before) -> before != null && before.id.equals(id) ? before : new Each(id, key));
    if (each.begin(clock.instant())) {
      threads.execute(
          () -> {
            boolean goesOn = false;
            try {
              goesOn = each.run.batch(client.get(), OBJECTS, TIME);
            } catch (KubernetesClientException e) {
              LOG.debugf("a hosted API is not asked to write objects again: %s", e.getMessage());
            } finally {
              each.end(goesOn ? Instant.MIN : clock.instant().plus(AFTER_TROUBLE));
            }
            if (goesOn) {
              changed.run();
            }
          });
    }
  }

  /** Begins again: of one that is removed, or whose kube-apiservers may write by an old key. */
  public void forget(String uid) {
    all.remove(uid);
  }

  @PreDestroy
  void close() {
    threads.shutdownNow();
  }
}

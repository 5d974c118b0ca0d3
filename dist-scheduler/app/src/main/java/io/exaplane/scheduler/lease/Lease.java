// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.lease;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.kube.ApiWriter;
import io.exaplane.scheduler.kube.ApiWriter.Reply;
import io.exaplane.scheduler.kube.ApiWriter.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * A Lease on the API server, which one process has at a time. Who has it may write for two thirds
 * of its duration after asking for it the last time, so that a third is left for what was sent to
 * arrive; by a clock that goes on while the process does not. Who waits for it takes it once
 * nothing has happened to it for its duration, by the waiting process's own clock: what time it is
 * elsewhere does not matter. {@link #run} has a thread of its own; the other methods are for any.
 * Source: client-go, tools/leaderelection.
 */
public final class Lease implements Runnable {
  private static final Logger LOG = Logger.getLogger(Lease.class);
  private static final int THIRDS = 3;

  /** So often who waits looks within the lease's duration. */
  private static final int LOOKS = 10;

  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final String JSON = "application/json";

  private final ApiWriter api;
  private final String path;
  private final String name;
  private final String identity;
  private final Duration duration;
  private final LongSupplier nanoTime;
  private final Supplier<Instant> wallTime;

  /** The lease as it was seen last, and since when it was so; null if that is not known. */
  private Object seen;

  private long seenSinceNs;

  /** The lease as the server has it if nobody else changed it; null if that is not known. */
  private Fields mine;

  private volatile String trouble = "not asked yet";
  private volatile long askedNs;
  private volatile Instant askedAt = Instant.EPOCH;
  private volatile boolean hadIt;
  private volatile boolean lost;
  private volatile long transitions;

  /**
   * A lease that nobody asks for yet.
   *
   * @param api whose requests take a third of the duration at most
   * @param identity of this process, which no other ever has
   * @param nanoTime a clock that never stops
   * @param wallTime for those who look at the lease
   */
  public Lease(
      ApiWriter api,
      String namespace,
      String name,
      String identity,
      Duration duration,
      LongSupplier nanoTime,
      Supplier<Instant> wallTime) {
    this.api = api;
    this.name = name;
    path = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
    this.identity = identity;
    this.duration = duration;
    this.nanoTime = nanoTime;
    this.wallTime = wallTime;
  }

  /** How long requests may take, of a lease of this duration. */
  public static Duration requestTimeout(Duration duration) {
    return duration.dividedBy(THIRDS);
  }

  /** Whether something may be written now. */
  public Standing standing() {
    if (lost) {
      return Standing.LOST;
    }
    if (!hadIt) {
      return Standing.WAITING;
    }
    Duration valid = duration.dividedBy(THIRDS).multipliedBy(2);
    boolean held = nanoTime.getAsLong() - askedNs < valid.toNanos();
    // A virtual machine that stood still finds that only its wall clock went on.
    boolean awake = wallTime.get().isBefore(askedAt.plus(valid));
    return held && awake ? Standing.HELD : Standing.PAUSED;
  }

  /** How often it had changed hands when this process got it. */
  public long transitions() {
    return transitions;
  }

  /** Whether the server told the last time who has it. */
  public boolean isKnown() {
    return trouble.isEmpty();
  }

  /** Asks for it again and again, until it is lost or its thread interrupted. */
  @Override
  public void run() {
    try {
      while (!lost) {
        step();
        Thread.sleep(duration.dividedBy(hadIt ? THIRDS : LOOKS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks for it once. */
  void step() throws InterruptedException {
    try {
      ask();
    } catch (IOException | RuntimeException e) {
      failed(String.valueOf(e.getMessage()));
    }
  }

  private void ask() throws IOException, InterruptedException {
    long asked = nanoTime.getAsLong();
    Instant at = wallTime.get();
    Fields known = mine;
    mine = null;
    if (known != null && take(asked, at, renewing(known))) {
      return;
    }
    asked = nanoTime.getAsLong();
    at = wallTime.get();
    Reply reply = api.send(new Request("GET", path + "/" + name, JSON, null));
    if (reply.status() == NOT_FOUND && hadIt) {
      LOG.info("the Lease was deleted");
      lost = true;
    } else if (reply.status() == NOT_FOUND) {
      take(asked, at, new Request("POST", path, JSON, lease(null, 0, null)));
    } else if (reply.isSuccess()) {
      consider(Fields.of(reply.object(), "Lease"), reply.object());
    } else {
      failed(reply.message());
    }
  }

  /** What is not known to go on is waited for anew: its holder may not have been able to ask. */
  private void failed(String what) {
    seen = null;
    if (!what.equals(trouble)) {
      LOG.warnf("Lease %s: the request failed: %s; this process tries again", name, what);
      trouble = what;
    }
  }

  private void consider(Fields lease, Map<String, Object> object)
      throws IOException, InterruptedException {
    long now = nanoTime.getAsLong();
    Instant at = wallTime.get();
    Fields spec = lease.child("spec");
    String holder = spec.string("holderIdentity");
    Object state = object.get("spec");
    if (!Objects.equals(state, seen)) {
      if (seen == null && !hadIt && !holder.isEmpty()) {
        LOG.infof("%s holds the Lease %s; this process stands by", holder, name);
      }
      seen = state;
      seenSinceNs = now;
    }
    long lastsNs = Duration.ofSeconds(spec.integer("leaseDurationSeconds", 0)).toNanos();
    if (holder.equals(identity)) {
      take(now, at, renewing(lease));
    } else if (hadIt) {
      LOG.infof("%s is in charge now", holder);
      lost = true;
    } else if (holder.isEmpty() || now - seenSinceNs > lastsNs) {
      long transitions = spec.integer("leaseTransitions", 0) + 1;
      take(now, at, replacing(lease(version(lease), transitions, null)));
    } else {
      trouble = "";
    }
  }

  private static String version(Fields lease) {
    return lease.child("metadata").string("resourceVersion");
  }

  private Request renewing(Fields lease) {
    Fields spec = lease.child("spec");
    long transitions = spec.integer("leaseTransitions", 0);
    return replacing(lease(version(lease), transitions, spec.string("acquireTime")));
  }

  private Request replacing(Map<String, Object> body) {
    return new Request("PUT", path + "/" + name, JSON, body);
  }

  /** Returns whether it has it. */
  private boolean take(long asked, Instant at, Request request)
      throws IOException, InterruptedException {
    Reply reply = api.send(request);
    if (!reply.isSuccess()) {
      if (reply.status() != CONFLICT) {
        failed(reply.message());
      }
      return false;
    }
    if (!hadIt) {
      LOG.infof("%s is in charge", identity);
    }
    trouble = "";
    askedAt = at;
    askedNs = asked;
    mine = Fields.of(reply.object(), name);
    transitions = mine.child("spec").integer("leaseTransitions", 0);
    hadIt = true;
    return true;
  }

  private Map<String, Object> lease(String version, long transitions, String acquired) {
    Map<String, Object> meta = new LinkedHashMap<>(Map.of("name", name));
    if (version != null) {
      meta.put("resourceVersion", version);
    }
    String now = micros(wallTime.get());
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("holderIdentity", identity);
    spec.put("leaseDurationSeconds", duration.toSeconds());
    spec.put("acquireTime", acquired == null ? now : acquired);
    spec.put("renewTime", now);
    spec.put("leaseTransitions", transitions);
    return Map.of(
        "apiVersion", "coordination.k8s.io/v1", "kind", "Lease", "metadata", meta, "spec", spec);
  }

  private static String micros(Instant time) {
    String whole = Instant.ofEpochSecond(time.getEpochSecond()).toString();
    return whole.substring(0, whole.length() - 1) + ".%06dZ".formatted(time.getNano() / 1000);
  }

  /**
   * Gives it back, so that the next one need not wait; nothing may be written from here on. To be
   * called after {@link #run} has ended.
   */
  @SuppressWarnings("unchecked")
  public void release() throws InterruptedException {
    boolean held = hadIt && !lost;
    lost = true;
    if (!held) {
      return;
    }
    try {
      Reply reply = api.send(new Request("GET", path + "/" + name, JSON, null));
      Fields lease = Fields.of(reply.object(), "Lease");
      if (lease.child("spec").string("holderIdentity").equals(identity)) {
        Map<String, Object> body = new LinkedHashMap<>(reply.object());
        Map<String, Object> spec = new LinkedHashMap<>((Map<String, Object>) body.get("spec"));
        spec.put("holderIdentity", "");
        body.put("spec", spec);
        api.send(replacing(body));
      }
    } catch (IOException e) {
      LOG.debugf("%s was not released: %s", path, e);
    }
  }
}

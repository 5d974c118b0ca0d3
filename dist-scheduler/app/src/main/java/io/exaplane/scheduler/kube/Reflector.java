// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import io.exaplane.scheduler.engine.model.InvalidObjectException;
import io.exaplane.scheduler.engine.protobuf.DamagedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Keeps a listener in step with all objects of a kind: a list, then a watch from there on, both in
 * Kubernetes' protobuf, again and again until it is stopped. What happened while nobody listened is
 * told after the next list by {@link ObjectListener#retain}. It holds no objects; during a list,
 * hashes of the names that it saw. {@link #run} has a thread of its own; the other methods are for
 * any. Source: client-go, tools/cache/reflector.go; KEP-3157.
 */
public final class Reflector implements Runnable {
  private static final Logger LOG = Logger.getLogger(Reflector.class);

  /** Who had no trouble for so long begins anew with short pauses. */
  private static final long CALM_NS = TimeUnit.MINUTES.toNanos(2);

  /** A server that starts anew is away once, and has forgotten once. */
  private static final int WORTH_A_WARNING = 3;

  private final Resource resource;
  private final Pace pace;
  private final ListAndWatch next;
  private int failures;
  private long lastFailureNs;

  /** Where a watch is that brought something unreadable, or an error; or null. */
  private String stuckAt;

  private volatile HeardStream open;
  private volatile Thread runner;
  private volatile boolean stopped;

  /** What went wrong, and how long the server asks to wait. */
  private record Trouble(String what, Duration retryAfter) {}

  /**
   * Of a kind.
   *
   * @param pace how long it waits for what
   */
  public Reflector(Resource resource, ApiStream api, ObjectListener listener, Pace pace) {
    this.resource = resource;
    this.pace = pace;
    next = new ListAndWatch(resource, api, listener, pace, this::opened);
  }

  /**
   * Whether the listener was told of all objects, and nothing is known that it was not told of. It
   * stays so while a watch is opened again.
   */
  public boolean isInStep() {
    return !stopped && next.isInStep();
  }

  /** Ends it soon; its thread is interrupted. */
  public void stop() {
    stopped = true;
    Thread thread = runner;
    if (thread != null) {
      thread.interrupt();
    }
    cut();
  }

  /**
   * Ends an answer on which nothing was heard for too long while it was waited for. To be called
   * now and then.
   */
  public void cutIfSilent() {
    HeardStream answer = open;
    if (answer != null && answer.isSilent()) {
      LOG.infof(
          "%s: the API server was silent for too long; the scheduler asks again",
          resource.plural());
      cut();
    }
  }

  private void opened(HeardStream answer) {
    open = answer;
    if (stopped) {
      cut();
    }
  }

  private void cut() {
    HeardStream answer = open;
    if (answer != null) {
      try {
        answer.close();
      } catch (IOException e) {
        LOG.debugf(e, "%s: could not close an answer", resource.plural());
      }
    }
  }

  @Override
  public void run() {
    runner = Thread.currentThread();
    try {
      while (!stopped) {
        Trouble trouble = attempt();
        if (!stopped) {
          rest(trouble);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      stopped = true;
    }
  }

  private void rest(Trouble trouble) throws InterruptedException {
    if (trouble == null) {
      if (next.isAbsent()) {
        pace.pauseWithout();
      }
      return;
    }
    boolean calm = failures == 0 || pace.nowNs() - lastFailureNs > CALM_NS;
    failures = calm ? 1 : failures + 1;
    if (failures < WORTH_A_WARNING) {
      LOG.infof("%s: %s; the scheduler asks again", resource.plural(), trouble.what());
    } else {
      LOG.warnf(
          "%s: %d failures in a row: %s; the scheduler asks again",
          resource.plural(), failures, trouble.what());
    }
    pace.pause(failures, trouble.retryAfter());
    lastFailureNs = pace.nowNs();
  }

  /** One list or watch to its end; returns what went wrong, or null. */
  private Trouble attempt() throws InterruptedException {
    String from = next.resourceVersion();
    try {
      next.step();
      return null;
    } catch (ExpiredException e) {
      next.forget();
      return new Trouble("version " + from + " is gone: " + e.getMessage(), Duration.ZERO);
    } catch (RefusedException e) {
      if (e.isInWatch()) {
        giveUpIfStuck();
      }
      return new Trouble(e.getMessage(), e.retryAfter());
    } catch (DamagedException | InvalidObjectException e) {
      giveUpIfStuck();
      return new Trouble(e.getMessage(), Duration.ZERO);
    } catch (IOException e) {
      String cause = e.getCause() == null ? "" : ": " + e.getCause();
      return new Trouble(e.getMessage() + cause, Duration.ZERO);
    } catch (RuntimeException e) {
      LOG.errorf(e, "%s: unexpected error; report it with this stack trace", resource.plural());
      next.forget();
      return new Trouble("the scheduler lists again after " + e, Duration.ZERO);
    }
  }

  /** What a watch brings twice from one version, it brings for ever: all are listed then. */
  private void giveUpIfStuck() {
    String at = next.resourceVersion();
    if (at != null && Objects.equals(at, stuckAt)) {
      next.forget();
    }
    stuckAt = at;
  }
}

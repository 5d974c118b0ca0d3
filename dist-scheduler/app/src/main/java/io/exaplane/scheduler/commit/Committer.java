// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.PodGroup;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.kube.ApiWriter;
import io.exaplane.scheduler.kube.ApiWriter.Reply;
import io.exaplane.scheduler.lease.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Writes what was decided. It returns at once; each pod's writes are in order, those of different
 * pods side by side. Any thread. Source: pkg/scheduler/schedule_one.go, bindingCycle.
 */
public final class Committer implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(Committer.class);

  /** kube-scheduler's bindTimeoutSeconds. */
  private static final Duration MOST_FOR_VOLUMES = Duration.ofMinutes(10);

  private static final long ASK_AGAIN_MS = 1000;
  private static final int MOST_BINDINGS = 512;
  private static final int MOST_OTHERS = 64;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Duration bindingTimeout;
  private final Sender bindings;
  private final Sender others;
  private final PodStatuses statuses;
  private final GroupStatuses groupStatuses;
  private final Events events;
  private final Victims victims;
  private final VolumeWriter volumes;

  /**
   * Through a server.
   *
   * @param binding sends bindings: a request that it gives up does not arrive later than the lease
   *     allows
   * @param api sends all else
   * @param standing is asked before each request: nothing is written while it is not held
   * @param bindingTimeout after which a binding is given up
   * @param host where this process runs
   */
  public Committer(
      ApiWriter binding,
      ApiWriter api,
      Supplier<Standing> standing,
      Duration bindingTimeout,
      String host) {
    // So that the server says so before nobody listens any more.
    this.bindingTimeout = bindingTimeout.multipliedBy(3).dividedBy(4);
    bindings = new Sender(binding, standing, new Concurrency(MOST_BINDINGS));
    others = new Sender(api, standing, new Concurrency(MOST_OTHERS));
    statuses = new PodStatuses(others, threads);
    groupStatuses = new GroupStatuses(others, threads);
    Concurrency few = new Concurrency(MOST_OTHERS);
    events = new Events(new Sender(api, standing, few), threads, host);
    victims = new Victims(others, events);
    volumes = new VolumeWriter(others);
  }

  /**
   * Lets a pod go to its node.
   *
   * @param done is told when it is there, or why it is not; nobody calls it once somebody else is
   *     in charge
   */
  public void bind(Commitment commitment, Consumer<BindingEnd> done) {
    run(
        commitment.pod().toString(),
        () -> {
          BindingEnd end = tryToBind(commitment);
          if (end.isThere()) {
            statuses.forget(commitment.pod().uid());
            events.tell(Notice.scheduled(commitment.pod(), commitment.node()), Instant.now());
          }
          done.accept(end);
        });
  }

  private BindingEnd tryToBind(Commitment commitment) throws FencedException, InterruptedException {
    ClaimWriter claims = new ClaimWriter(others, commitment.pod(), commitment.claims());
    String trouble = tryToBind(commitment, claims);
    if (trouble != null) {
      tryToRelease(commitment, claims);
    }
    return new BindingEnd(trouble, claims.allocated());
  }

  private static void tryToRelease(Commitment commitment, ClaimWriter claims)
      throws FencedException, InterruptedException {
    try {
      claims.release();
    } catch (RuntimeException e) {
      LOG.errorf(e, "%s: unexpected error; report it with this stack trace", commitment.pod());
    }
  }

  private String tryToBind(Commitment commitment, ClaimWriter claims)
      throws FencedException, InterruptedException {
    try {
      return bind(commitment, claims);
    } catch (ExecutionException | RuntimeException e) {
      LOG.errorf(e, "%s: unexpected error; report it with this stack trace", commitment.pod());
      return e.toString();
    }
  }

  private String bind(Commitment commitment, ClaimWriter claims)
      throws FencedException, InterruptedException, ExecutionException {
    PodRef pod = commitment.pod();
    statuses.settle(pod);
    if (commitment.tellsWhere()) {
      statuses.write(pod, PodStatus.expectedOn(commitment.node()));
    }
    String trouble = prepare(commitment, claims);
    if (trouble != null) {
      return "running PreBind plugin " + trouble;
    }
    trouble = commitment.preparation().bind();
    if (trouble != null) {
      return trouble;
    }
    Reply reply = bindings.send(Requests.binding(pod, commitment.node(), bindingTimeout));
    boolean isThere =
        reply.isSuccess()
            || (reply.status() != HttpStatus.NOT_FOUND && isOn(pod, commitment.node()));
    return isThere ? null : "running Bind plugin \"DefaultBinder\": " + reply.message();
  }

  private String prepare(Commitment commitment, ClaimWriter claims)
      throws FencedException, InterruptedException, ExecutionException {
    String trouble = commitment.preparation().heldBack();
    if (!commitment.volumes().isEmpty()) {
      trouble = trouble == null ? volumes.write(commitment.volumes()) : trouble;
      trouble = trouble == null ? awaitVolumes(commitment) : trouble;
      if (trouble != null) {
        return "\"VolumeBinding\": binding volumes: " + trouble;
      }
      trouble = commitment.preparation().heldBack();
    }
    trouble = trouble == null ? claims.write() : trouble;
    trouble = trouble == null ? awaitDevices(commitment, claims) : trouble;
    return trouble == null ? null : "\"DynamicResources\": " + trouble;
  }

  /** Whether an attempt succeeded of which nothing was heard. */
  private boolean isOn(PodRef pod, String node) throws FencedException, InterruptedException {
    Reply reply = others.send(Requests.get(pod.path()));
    while (!reply.isSuccess() && reply.status() != HttpStatus.NOT_FOUND) {
      Thread.sleep(ASK_AGAIN_MS);
      reply = others.send(Requests.get(pod.path()));
    }
    Fields now = Fields.of(reply.object(), "Pod");
    return now.child("metadata").string("uid").equals(pod.uid())
        && now.child("spec").string("nodeName").equals(node);
  }

  /** Null once they are ready, or need not be. */
  private String awaitDevices(Commitment commitment, ClaimWriter claims)
      throws InterruptedException, ExecutionException {
    if (!commitment.claims().hasBindingConditions()) {
      return null;
    }
    events.tell(Notice.unready(commitment.pod(), commitment.node()), Instant.now());
    String trouble = commitment.claimsReady().apply(claims.made()).get();
    return trouble.isEmpty() ? null : trouble;
  }

  private static String awaitVolumes(Commitment commitment)
      throws InterruptedException, ExecutionException {
    CompletableFuture<String> ready = commitment.volumesReady().get();
    try {
      String trouble = ready.get(MOST_FOR_VOLUMES.toMinutes(), TimeUnit.MINUTES);
      return trouble.isEmpty() ? null : trouble;
    } catch (TimeoutException e) {
      return "timed out waiting for volumes";
    } finally {
      ready.cancel(false);
    }
  }

  /** Says in a pod's status what became of it; what was said before is not said again. */
  public void say(PodRef pod, PodStatus status) {
    statuses.say(pod, status);
  }

  /** Says in a group's status what became of its pods. */
  public void say(PodGroup group, GroupStatus status) {
    groupStatuses.say(group.namespace(), group.name(), status);
  }

  /** Says in a pod's status, and tells users, why it goes nowhere. */
  public void refuse(PodRef pod, PodStatus status, String message) {
    say(pod, status);
    tell(Notice.refused(pod, message));
  }

  /** Tells users, if the server has time for it. */
  public void tell(Notice notice) {
    events.tell(notice, Instant.now());
  }

  /**
   * Lets pods go for others.
   *
   * @param done takes null when they were all asked to go, or why one could not be; nobody calls it
   *     once somebody else is in charge
   */
  public void evict(List<Victim> gone, Preemptor by, Consumer<String> done) {
    run(by.toString(), () -> done.accept(tryToEvict(gone, by)));
  }

  private String tryToEvict(List<Victim> gone, Preemptor by)
      throws FencedException, InterruptedException {
    try {
      return victims.evict(gone, by);
    } catch (RuntimeException e) {
      LOG.errorf(e, "%s: unexpected error; report it with this stack trace", by);
      return e.toString();
    }
  }

  /** A claim of devices gives back what it has, which its pod cannot use where it could go. */
  public void deallocate(ResourceClaim claim, PodRef pod) {
    run(claim.key(), () -> ClaimWriter.deallocate(others, claim, pod));
  }

  /** How many Events were not written, because there were too many. */
  public long droppedEvents() {
    return events.dropped();
  }

  /** A pod is gone: what was said of it need not be remembered. */
  public void forget(String uid) {
    statuses.forget(uid);
  }

  private interface Work {
    void run() throws FencedException, InterruptedException;
  }

  private void run(String what, Work work) {
    threads.execute(
        () -> {
          try {
            work.run();
          } catch (FencedException e) {
            LOG.debugf("%s: not written, since another process is in charge", what);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (RuntimeException e) {
            LOG.errorf(e, "%s: unexpected error; report it with this stack trace", what);
          }
        });
  }

  /** Ends what is under way; what becomes of it is not known. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}

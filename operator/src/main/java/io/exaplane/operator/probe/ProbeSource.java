// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.probe;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import io.javaoperatorsdk.operator.processing.event.source.ResourceEventAware;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Asks about each object of ours in turn, and brings its reconciler back when the answer is another
 * one. A reconciliation gets the last answer at once and never waits for one. Who does not answer
 * is asked less often, until the object changes. Thread-safe.
 *
 * @param <R> an answer, by whose equality it is told whether something changed
 * @param <P> our kind
 */
public final class ProbeSource<R, P extends HasMetadata> extends AbstractEventSource<R, P>
    implements ResourceEventAware<P> {
  private static final Logger LOG = Logger.getLogger(ProbeSource.class);

  /** The pause of who does not answer grows to as many periods. */
  private static final int MOST_PERIODS = 5;

  /** An object that changes all the time is not asked about more often. */
  private static final Duration LEAST = Duration.ofMillis(500);

  private final Map<ResourceID, Subject<R>> subjects = new ConcurrentHashMap<>();
  private final Function<P, Set<R>> ask;
  private final Predicate<R> answers;
  private final Predicate<P> applies;
  private final Duration period;
  private final Function<ResourceID, Optional<P>> primaries;
  private final Lanes lanes;

  private ProbeSource(
      Class<R> type, Settings<R, P> settings, Function<ResourceID, Optional<P>> primaries) {
    super(type, settings.name());
    this.ask = settings.ask();
    this.answers = settings.answers();
    this.applies = settings.applies();
    this.period = settings.period();
    this.primaries = primaries;
    this.lanes = Lanes.named(settings.name());
  }

  /**
   * What is asked, and how often.
   *
   * @param name of the source, and of its threads
   * @param ask asks once, and may take its time; an answer, or none
   * @param answers whether an answer is one of somebody who is there
   * @param applies whether an object is asked about at all
   * @param period between two looks
   */
  public record Settings<R, P>(
      String name,
      Function<P, Set<R>> ask,
      Predicate<R> answers,
      Predicate<P> applies,
      Duration period) {}

  /** One for a controller's objects. */
  public static <R, P extends HasMetadata> ProbeSource<R, P> of(
      Class<R> type, Settings<R, P> settings, EventSourceContext<P> context) {
    return new ProbeSource<>(type, settings, id -> context.getPrimaryCache().get(id));
  }

  /** The same for objects that somebody else keeps. */
  static <R, P extends HasMetadata> ProbeSource<R, P> of(
      Class<R> type, Settings<R, P> settings, Function<ResourceID, Optional<P>> primaries) {
    return new ProbeSource<>(type, settings, primaries);
  }

  @Override
  public Set<R> getSecondaryResources(P primary) {
    Subject<R> subject = subjects.get(ResourceID.fromResource(primary));
    return subject == null || !subject.uid.equals(primary.getMetadata().getUid())
        ? Set.of()
        : subject.answer;
  }

  @Override
  public void onResourceCreated(P primary) {
    register(primary);
  }

  @Override
  public void onResourceUpdated(P primary, P before) {
    register(primary);
  }

  @Override
  public void onResourceDeleted(P primary) {
    Subject<R> gone = subjects.remove(ResourceID.fromResource(primary));
    if (gone != null) {
      gone.cancel();
    }
  }

  @Override
  public void stop() {
    super.stop();
    lanes.stop();
    subjects.clear();
  }

  /** What changed is asked about now: that may be what kept it from answering. */
  private void register(P primary) {
    if (!applies.test(primary)) {
      return;
    }
    ResourceID id = ResourceID.fromResource(primary);
    Subject<R> subject =
        subjects.compute(
            id,
            (_, known) ->
                known != null && known.uid.equals(primary.getMetadata().getUid())
                    ? known
                    : new Subject<>(primary.getMetadata().getUid()));
    if (!subject.hasAnswered) {
      subject.failures = 0;
      schedule(id, subject, LEAST);
    }
  }

  private void schedule(ResourceID id, Subject<R> subject, Duration delay) {
    try {
      subject.plan(
          () ->
              lanes
                  .clock()
                  .schedule(() -> enter(id, subject), delay.toMillis(), TimeUnit.MILLISECONDS),
          delay);
    } catch (RejectedExecutionException e) {
      LOG.debugf("%s has ended", name());
    }
  }

  private void enter(ResourceID id, Subject<R> subject) {
    if (!subject.begin()) {
      return;
    }
    try {
      if (subject.hasAnswered) {
        lanes.prompt(() -> look(id, subject));
      } else {
        lanes.silent(() -> look(id, subject));
      }
    } catch (RejectedExecutionException e) {
      LOG.debugf("%s has ended", name());
    }
  }

  private void look(ResourceID id, Subject<R> subject) {
    Optional<P> primary =
        primaries
            .apply(id)
            .filter(found -> found.getMetadata().getUid().equals(subject.uid))
            .filter(applies);
    if (subjects.get(id) != subject) {
      return;
    }
    if (primary.isPresent()) {
      take(id, subject, answer(primary.get()));
    }
    boolean soon = subject.end() && !subject.hasAnswered;
    schedule(
        id,
        subject,
        soon ? LEAST : period.multipliedBy(1 + Math.min(MOST_PERIODS - 1, subject.failures)));
  }

  private Set<R> answer(P primary) {
    try {
      return ask.apply(primary);
    } catch (RuntimeException e) {
      LOG.debugf(e, "%s got no answer", name());
      return Set.of();
    }
  }

  private void take(ResourceID id, Subject<R> subject, Set<R> answer) {
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    subject.hasAnswered = answer.stream().anyMatch(answers);
    subject.failures = subject.hasAnswered ? 0 : subject.failures + 1;
    boolean changed = !Objects.equals(subject.answer, answer);
    subject.answer = answer;
    if (changed && isRunning() && subjects.get(id) == subject) {
      getEventHandler().handleEvent(new Event(id));
    }
  }

  /** What is known of one; written by one look at a time. */
  private static final class Subject<R> {
    private final String uid;
    private volatile Set<R> answer = Set.of();
    private volatile boolean hasAnswered;
    private volatile int failures;
    private ScheduledFuture<?> next;
    private boolean looking;
    private boolean again;

    Subject(String uid) {
      this.uid = uid;
    }

    /** One look is planned at a time, the sooner one; none while one is under way. */
    synchronized void plan(Supplier<ScheduledFuture<?>> plan, Duration delay) {
      if (looking) {
        again = true;
        return;
      }
      if (next != null) {
        if (next.getDelay(TimeUnit.MILLISECONDS) <= delay.toMillis()) {
          return;
        }
        next.cancel(false);
      }
      next = plan.get();
    }

    /** Whether a look begins now: one may be under way that was planned before. */
    synchronized boolean begin() {
      boolean begins = !looking;
      looking = true;
      next = null;
      return begins;
    }

    /** Whether somebody asked for another look meanwhile. */
    synchronized boolean end() {
      boolean asked = again;
      looking = false;
      again = false;
      return asked;
    }

    synchronized void cancel() {
      if (next != null) {
        next.cancel(false);
      }
    }
  }
}

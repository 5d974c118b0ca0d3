// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.outcome;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.AggregatedOperatorException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * What became of the writes of one reconciliation. One that is refused stops no other. Thread-safe:
 * dependents of a workflow write beside each other.
 */
public final class Outcomes {
  private static final Logger LOG = Logger.getLogger(Outcomes.class);
  private static final String KEY = Outcomes.class.getName();
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration LATER = Duration.ofSeconds(30);

  private final ConcurrentLinkedQueue<Refusal> refusals = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Refusal> unread = new ConcurrentLinkedQueue<>();

  /** Those of the reconciliation that has this context. */
  public static Outcomes of(Context<?> context) {
    var shared = context.managedWorkflowAndDependentResourceContext();
    Optional<Outcomes> there = shared.get(KEY, Outcomes.class);
    if (there.isPresent()) {
      return there.get();
    }
    Outcomes made = new Outcomes();
    shared.put(KEY, made);
    return made;
  }

  /** Another look begins: what was refused before is asked again, except for reads. */
  public void begin() {
    refusals.clear();
  }

  /** Does something; if that is refused, says so and goes on. */
  public void attempt(Runnable write) {
    attempt(
        () -> {
          write.run();
          return true;
        });
  }

  /** The same for what gives something. */
  public <T> Optional<T> attempt(Supplier<T> write) {
    try {
      return Optional.ofNullable(write.get());
    } catch (KubernetesClientException | IllegalStateException e) {
      refused(e);
      return Optional.empty();
    }
  }

  /**
   * Reads something without which the pass goes on by what is known. That it cannot be read is
   * among the refusals until the pass ends.
   */
  public <T> Optional<T> read(Supplier<T> look) {
    try {
      return Optional.ofNullable(look.get());
    } catch (KubernetesClientException e) {
      add(e, unread);
      return Optional.empty();
    }
  }

  /** Adds a failure. */
  public void refused(Throwable failure) {
    add(failure, refusals);
  }

  /** Adds what no request of this pass was refused with. */
  public void told(Refusal refusal) {
    refusals.add(refusal);
  }

  private static void add(Throwable failure, Collection<Refusal> to) {
    Refusal refusal = Refusals.of(failure);
    to.add(refusal);
    if (refusal.passes()) {
      LOG.debug(refusal.text(), failure);
    } else {
      LOG.info(refusal.text());
      LOG.debug("the failure", failure);
    }
  }

  /**
   * Runs the workflow of the reconciler, and adds what was refused of it. It has run to its end in
   * any case: the extension that builds the workflows loses that errors are the reconciler's to
   * handle, and throws all of them together afterwards.
   */
  public void run(Context<?> context) {
    try {
      context
          .managedWorkflowAndDependentResourceContext()
          .reconcileManagedWorkflow()
          .getErroredDependents()
          .values()
          .forEach(this::refused);
    } catch (AggregatedOperatorException e) {
      e.getAggregatedExceptions().values().forEach(this::refused);
    }
  }

  /** All, in no order. */
  public List<Refusal> refusals() {
    return Stream.concat(refusals.stream(), unread.stream()).toList();
  }

  /** When to ask again: no event tells that a quota was raised. */
  public Optional<Duration> nextAttempt() {
    List<Refusal> all = refusals();
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(all.stream().allMatch(Refusal::passes) ? SOON : LATER);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.ReasonWitness;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Conditions under way from what they were to what they are. A condition whose status stays keeps
 * its transition time, so that equal states give equal lists. Used by one thread.
 */
public final class ConditionSet {
  private final Map<String, Condition> previous = new LinkedHashMap<>();
  private final Map<String, Condition> current = new LinkedHashMap<>();
  private final Set<String> derived = new HashSet<>();
  private final Long generation;
  private final Instant instant;
  private final String now;
  private Instant patienceEnds = Instant.MAX;

  /** Starts from the conditions of the status as it is, which may be null. */
  public ConditionSet(List<Condition> previous, Long generation, Clock clock) {
    if (previous != null) {
      previous.forEach(condition -> this.previous.put(condition.type(), condition));
    }
    this.generation = generation;
    this.instant = clock.instant();
    this.now = instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  public ConditionSet set(Enum<?> type, boolean status, Reason reason, String message) {
    return set(type, Verdict.of(status, reason, message));
  }

  /** Sets a condition to what was found. */
  public ConditionSet set(Enum<?> type, Verdict verdict) {
    return put(type, verdict.status(), verdict.reason(), verdict.message());
  }

  /** The same; keeps it as it was when nothing was found. */
  public ConditionSet setOrKeep(Enum<?> type, Optional<Verdict> verdict) {
    return verdict.map(found -> set(type, found)).orElseGet(() -> keep(type));
  }

  private ConditionSet put(Enum<?> type, String status, Reason reason, String message) {
    assert ReasonWitness.told(type, status, reason);
    assert NextAction.isGiven(type.name(), status, message) : NextAction.missing(type, message);
    Condition before = previous.get(type.name());
    String since =
        before != null && before.status().equals(status) ? before.lastTransitionTime() : now;
    current.put(
        type.name(), new Condition(type.name(), status, reason.name(), message, since, generation));
    return this;
  }

  /** Sets a condition that repeats what another one says; no change of it is told of. */
  ConditionSet derive(Enum<?> type, boolean status, Reason reason, String message) {
    derived.add(type.name());
    return put(type, status ? Condition.TRUE : Condition.FALSE, reason, message);
  }

  /**
   * Says of a condition that it was otherwise meanwhile, and is as it is since a later time.
   *
   * @param since RFC 3339, in seconds and UTC
   */
  public void since(Enum<?> type, String since) {
    current.computeIfPresent(
        type.name(),
        (_, condition) ->
            new Condition(
                condition.type(),
                condition.status(),
                condition.reason(),
                condition.message(),
                since,
                condition.observedGeneration()));
  }

  /** The same, since now. */
  void sinceNow(Enum<?> type) {
    since(type, now);
  }

  /** Keeps a condition as it was, with the generation that it spoke of, when there was one. */
  public ConditionSet keep(Enum<?> type) {
    previous(type).ifPresent(before -> current.put(type.name(), before));
    return this;
  }

  /** The condition as it was before. */
  public Optional<Condition> previous(Enum<?> type) {
    return Optional.ofNullable(previous.get(type.name()));
  }

  /**
   * Whether the condition was True before, or not True for one of the reasons that tell of a loss:
   * what is missing now was there once.
   */
  public boolean wasMet(Enum<?> type, Reason... losses) {
    return previous(type)
        .filter(
            before ->
                before.status().equals(Condition.TRUE)
                    || Arrays.stream(losses).anyMatch(loss -> before.reason().equals(loss.name())))
        .isPresent();
  }

  /** Whether the condition has been set to True. */
  public boolean isTrue(Enum<?> type) {
    return current.containsKey(type.name())
        && current.get(type.name()).status().equals(Condition.TRUE);
  }

  /** Whether the condition has been set to False. */
  public boolean isFalse(Enum<?> type) {
    return current.containsKey(type.name())
        && current.get(type.name()).status().equals(Condition.FALSE);
  }

  /** Since when a condition has its status. */
  public static Instant since(Condition condition) {
    return Instant.parse(condition.lastTransitionTime());
  }

  /**
   * Takes back that no action is needed where that was said for too long.
   *
   * @param since since when a condition says the same
   * @param then what it says from then on; it begins with a small letter
   */
  public void limitPatience(Function<Condition, Instant> since, Function<Condition, String> then) {
    current.replaceAll((_, condition) -> limited(condition, since, then));
  }

  private Condition limited(
      Condition condition, Function<Condition, Instant> since, Function<Condition, String> then) {
    if (!condition.message().endsWith(Patience.NO_ACTION)) {
      return condition;
    }
    Instant end = since.apply(condition).plus(Patience.LIMIT);
    if (instant.isBefore(end)) {
      patienceEnds = end.isBefore(patienceEnds) ? end : patienceEnds;
      return condition;
    }
    String message = Patience.ended(condition.message(), then.apply(condition));
    assert NextAction.isGiven(condition.type(), condition.status(), message)
        : NextAction.missing(condition.type(), message);
    return new Condition(
        condition.type(),
        condition.status(),
        condition.reason(),
        message,
        condition.lastTransitionTime(),
        condition.observedGeneration());
  }

  /** Takes back that no action is needed, and says where the one that is needed is told. */
  public void refer(String to) {
    current.replaceAll(
        (_, condition) ->
            condition.message().endsWith(Patience.NO_ACTION)
                ? new Condition(
                    condition.type(),
                    condition.status(),
                    condition.reason(),
                    Patience.without(condition.message()) + " " + to,
                    condition.lastTransitionTime(),
                    condition.observedGeneration())
                : condition);
  }

  /** Whether a condition of before has its status for longer than nobody needs to do anything. */
  boolean isOld(Condition before) {
    return !instant.isBefore(since(before).plus(Patience.LIMIT));
  }

  /** The condition as it has been set. */
  public Optional<Condition> current(Enum<?> type) {
    return Optional.ofNullable(current.get(type.name()));
  }

  /** How long until a message is to be another one. */
  public Optional<Duration> untilPatienceEnds() {
    return patienceEnds.equals(Instant.MAX)
        ? Optional.empty()
        : Optional.of(Duration.between(instant, patienceEnds).plusMillis(100));
  }

  /** The conditions in the order in which they were set. */
  public List<Condition> build() {
    return List.copyOf(current.values());
  }

  /**
   * The conditions whose status or reason is not what it was; one that is new and as expected is no
   * news.
   */
  public List<Condition> changes() {
    List<Condition> changes = new ArrayList<>();
    for (Condition condition : current.values()) {
      Condition before = previous.get(condition.type());
      boolean expected = before == null && condition.reason().equals(Reason.AsExpected.name());
      if (derived.contains(condition.type()) || expected) {
        continue;
      }
      if (before == null
          || !before.status().equals(condition.status())
          || !before.reason().equals(condition.reason())) {
        changes.add(condition);
      }
    }
    return changes;
  }
}

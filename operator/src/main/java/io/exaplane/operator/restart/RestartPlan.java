// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.restart;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RestartStatus;
import io.exaplane.api.v1alpha1.RestartStatus.Replacement;
import io.exaplane.operator.status.Verdict;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is to be done about the restarts of an object's components, and what is told of them. At
 * most one pod is replaced in a look. Pure; made for one reconciliation.
 */
public final class RestartPlan {
  /** So soon after its dependency a component may have ended for the lack of it. */
  static final Duration SETTLING = Duration.ofSeconds(30);

  /** Until then the kubelet may have started a container with the Secret of before. */
  static final Duration DELIVERY = Duration.ofMinutes(2);

  /** One end is none yet. */
  private static final int LOOP = 2;

  private static final Duration ROUNDING = Duration.ofMillis(100);

  /**
   * A pod that is to go.
   *
   * @param version its resourceVersion: one that has changed is looked at again first
   */
  public record Replaced(String component, String pod, String version, String why) {}

  private final RestartPolicy policy;
  private final String object;
  private final Instant now;
  private final RestartLedger ledger;
  private final Map<ComponentLook, RestartDecision> decisions = new LinkedHashMap<>();
  private Optional<Replaced> replaced = Optional.empty();

  private RestartPlan(RestartPolicy policy, String object, RestartLedger ledger, Instant now) {
    this.policy = policy;
    this.object = object;
    this.ledger = ledger;
    this.now = now;
  }

  /**
   * Decides.
   *
   * @param object its UID, so that two objects do not act at the same moment
   * @param ledger what was restarted before
   * @param mayReplace whether the operator may change anything now
   */
  public static RestartPlan of(
      RestartPolicy policy,
      String object,
      RestartLedger ledger,
      List<ComponentLook> looks,
      boolean mayReplace,
      Instant now) {
    RestartPlan plan = new RestartPlan(policy, object, ledger, now);
    for (ComponentLook look : looks) {
      ledger.observe(look);
    }
    for (ComponentLook look : looks) {
      plan.decide(look, mayReplace);
    }
    return plan;
  }

  private void decide(ComponentLook look, boolean mayReplace) {
    RestartDecision decision = decision(look);
    if (decision instanceof RestartDecision.Allow allowed) {
      if (!mayReplace || replaced.isPresent()) {
        decision = new RestartDecision.Leave();
      } else {
        ledger.replaced(look, allowed);
        replaced = Optional.of(replacement(look, allowed));
      }
    }
    decisions.put(look, decision);
  }

  /** What the policy says of one component. */
  private RestartDecision decision(ComponentLook look) {
    Optional<RestartDecision.Hold> hold = ledger.hold(look);
    if (hold.isPresent()) {
      return hold.get();
    }
    Optional<PodLook> victim = look.pods().stream().filter(pod -> isVictim(look, pod)).findFirst();
    if (victim.isEmpty() || look.isTaken()) {
      return new RestartDecision.Leave();
    }
    Optional<Instant> seenUntil = behind(look);
    if (seenUntil.isPresent()) {
      return new RestartDecision.WaitUntil(seenUntil.get());
    }
    Instant servesSince = back(look, victim.get()).orElseThrow();
    int outages = outages(look, servesSince);
    Instant earliest =
        Stream.concat(
                Stream.of(
                    servesSince.plus(policy.delay(outages, object + look.name() + servesSince))),
                ledger.lastReplacement().map(last -> last.plus(policy.gap())).stream())
            .max(Comparator.naturalOrder())
            .orElseThrow();
    return now.isBefore(earliest)
        ? new RestartDecision.WaitUntil(earliest)
        : new RestartDecision.Allow(victim.get(), servesSince, outages);
  }

  /** What is seen is of before the last replacement: until when that is possible. */
  private Optional<Instant> behind(ComponentLook look) {
    return ledger
        .lastReplacement(look.name())
        .filter(
            last ->
                look.pods().stream()
                    .anyMatch(pod -> !pod.leaving() && pod.uid().equals(last.uid())))
        .map(last -> Times.of(last.at()).plus(SETTLING))
        .filter(now::isBefore);
  }

  private int outages(ComponentLook look, Instant servesSince) {
    Optional<Replacement> last = ledger.lastReplacement(look.name());
    if (last.isEmpty() || !now.isBefore(Times.of(last.get().at()).plus(policy.resetAfter()))) {
      return 1;
    }
    return Times.of(last.get().servesSince()).equals(servesSince)
        ? last.get().outages()
        : last.get().outages() + 1;
  }

  /** Whether a pod waits although what it ended for the lack of is back. */
  private boolean isVictim(ComponentLook look, PodLook pod) {
    return look.turns() != ComponentLook.Turns.NEVER
        && pod.crashLooping()
        && !pod.leaving()
        && look.dependency().serves()
        && back(look, pod).isPresent();
  }

  /** When what a pod ended for the lack of was back; one that was made later has no such excuse. */
  private Optional<Instant> back(ComponentLook look, PodLook pod) {
    return Stream.concat(
            look.dependency().since().stream().filter(time -> isExcuse(pod, time, SETTLING)),
            ledger.credentialsChangedAt(look.name()).stream()
                .filter(time -> isExcuse(pod, time, DELIVERY)))
        .max(Comparator.naturalOrder());
  }

  private static boolean isExcuse(PodLook pod, Instant back, Duration grace) {
    return pod.created().isBefore(back)
        && pod.lastEnd().filter(end -> end.isBefore(back.plus(grace))).isPresent();
  }

  private Replaced replacement(ComponentLook look, RestartDecision.Allow allowed) {
    return new Replaced(
        look.name(),
        allowed.pod().name(),
        allowed.pod().version(),
        "Pod %s of %s waits in CrashLoopBackOff although its dependencies have served since %s; the operator replaces the pod (outage %d in a row)."
            .formatted(
                allowed.pod().name(), look.name(), allowed.servesSince(), allowed.outages()));
  }

  /** What the status is to keep of it; null for nothing. */
  public RestartStatus status() {
    return ledger.status();
  }

  /** The pod that is to go, once the status is written. */
  public Optional<Replaced> replaced() {
    return replaced;
  }

  /** What was decided of a component. */
  RestartDecision decision(String component) {
    return decisions.entrySet().stream()
        .filter(entry -> entry.getKey().name().equals(component))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow();
  }

  /** How long until there is something to do or to tell, if nothing happens. */
  public Optional<Duration> nextLook() {
    return decisions.values().stream()
        .flatMap(
            decision ->
                switch (decision) {
                  case RestartDecision.WaitUntil wait -> Stream.of(wait.time());
                  case RestartDecision.Hold hold -> Stream.of(hold.until());
                  case RestartDecision.Allow _, RestartDecision.Leave _ -> Stream.empty();
                })
        .min(Comparator.naturalOrder())
        .map(time -> Duration.between(now, time).plus(ROUNDING));
  }

  /** The command by which a person forgives the restarts of an object so far. */
  public static String release(String kind, HasMetadata object) {
    return "kubectl -n %s annotate --overwrite %s %s %s=$(date +%%s)"
        .formatted(
            object.getMetadata().getNamespace(),
            kind,
            object.getMetadata().getName(),
            Names.RELEASE_RESTARTS);
  }

  /**
   * The condition RestartBudgetAvailable.
   *
   * @param release command by which a person forgives what was before
   */
  public Verdict verdict(String release) {
    List<String> held = new ArrayList<>();
    decisions.forEach(
        (look, decision) -> {
          if (decision instanceof RestartDecision.Hold hold) {
            held.add(held(look, hold));
          }
        });
    if (!held.isEmpty()) {
      return Verdict.no(
          Reason.RestartsHeld,
          "%s. The operator replaces none of these pods before that time. The kubelet still restarts their containers. Repair the cause, or run '%s' to start counting again."
              .formatted(String.join(". ", held), release));
    }
    List<String> own =
        decisions.keySet().stream().flatMap(look -> ownFailures(look).stream()).toList();
    return own.isEmpty()
        ? Verdict.yes(Reason.AsExpected, "The restart budget is not used up.")
        : Verdict.yes(Reason.CrashLooping, String.join(". ", own) + ".");
  }

  private String held(ComponentLook look, RestartDecision.Hold hold) {
    return "%s restarted %d times within %s, and spec.restart.budget allows %d; the next one is possible at %s%s"
        .formatted(
            look.name(),
            hold.restarts(),
            policy.windowText(),
            hold.budget(),
            hold.until(),
            look.pods().stream()
                .flatMap(pod -> words(pod).stream())
                .findFirst()
                .map(words -> " (" + words + ")")
                .orElse(""));
  }

  /** Of pods that end while what they need serves. */
  private List<String> ownFailures(ComponentLook look) {
    return look.pods().stream()
        .filter(PodLook::fails)
        .filter(pod -> pod.crashLooping() || ledger.count(look.name()) >= LOOP)
        .filter(pod -> pod.lastEnd().filter(look.dependency()::serves).isPresent())
        .filter(pod -> !isVictim(look, pod))
        .flatMap(pod -> words(pod).stream())
        .map(
            words ->
                "%s fails by itself, and the operator leaves the pod to the kubelet: %s"
                    .formatted(look.name(), words))
        .findFirst()
        .stream()
        .toList();
  }

  private static Optional<String> words(PodLook pod) {
    return pod.trouble().map(trouble -> "pod " + pod.name() + ": " + trouble);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.restart;

import io.exaplane.api.v1alpha1.RestartStatus;
import io.exaplane.api.v1alpha1.RestartStatus.Component;
import io.exaplane.api.v1alpha1.RestartStatus.Credentials;
import io.exaplane.api.v1alpha1.RestartStatus.PodRestarts;
import io.exaplane.api.v1alpha1.RestartStatus.Replacement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What was restarted when, as an object's status keeps it. Nothing is written for the passing of
 * time: restarts that are out of the window stay until the next one. Used by one thread.
 */
public final class RestartLedger {
  private final RestartPolicy policy;
  private final Instant now;
  private final Map<String, Component> components = new TreeMap<>();
  private final String released;

  /**
   * Goes on with what a status has.
   *
   * @param before null if nothing restarted ever
   * @param release the annotation by which a person forgives what was before; null without it
   */
  public RestartLedger(RestartPolicy policy, RestartStatus before, String release, Instant now) {
    this.policy = policy;
    this.now = now.truncatedTo(ChronoUnit.SECONDS);
    String releasedBefore = before == null ? null : before.released();
    this.released = release == null ? releasedBefore : release;
    boolean forgiven = !Objects.equals(released, releasedBefore);
    if (before != null && before.components() != null) {
      before
          .components()
          .forEach(
              component ->
                  put(
                      forgiven
                          ? new Component(
                              component.name(),
                              null,
                              component.pods(),
                              component.replaced(),
                              component.credentials())
                          : component));
    }
  }

  /** Counts what the kubelet has restarted since the last look. */
  public void observe(ComponentLook look) {
    Component before = component(look.name());
    Map<String, PodRestarts> known =
        pods(before).stream().collect(Collectors.toMap(PodRestarts::uid, Function.identity()));
    List<Instant> restarts = new ArrayList<>(restarts(look.name()));
    List<PodRestarts> pods = new ArrayList<>();
    int counted = restarts.size();
    for (PodLook pod : look.pods()) {
      PodRestarts seen = known.get(pod.uid());
      int growth = pod.restarts() - (seen == null ? 0 : seen.restarts());
      if (growth > 0) {
        dates(pod, seen, growth).stream().filter(look.dependency()::serves).forEach(restarts::add);
        seen =
            new PodRestarts(
                pod.name(), pod.uid(), pod.restarts(), Times.text(pod.lastEnd().orElse(now)));
      }
      if (seen != null) {
        pods.add(seen);
      }
    }
    List<String> kept =
        restarts.size() == counted ? before.restarts() : kept(restarts, look.replicas());
    put(
        new Component(
            look.name(),
            kept,
            pods.isEmpty() ? null : List.copyOf(pods),
            before.replaced(),
            credentials(before.credentials(), look)));
  }

  /**
   * When the restarts were. That of the last one is known; others that nobody saw are spread evenly
   * over the time before.
   */
  private List<Instant> dates(PodLook pod, PodRestarts seen, int growth) {
    Instant last = pod.lastEnd().orElse(now);
    Instant from = seen == null ? pod.created() : Times.of(seen.last());
    Duration step =
        from.isBefore(last) ? Duration.between(from, last).dividedBy(growth) : Duration.ZERO;
    return Stream.iterate(last, time -> time.minus(step)).limit(growth).toList();
  }

  /** The newest ones that count, at most twice as many as the policy allows. */
  private List<String> kept(List<Instant> restarts, int replicas) {
    List<Instant> counting = counting(restarts);
    int most = 2 * policy.budget(replicas);
    return counting.isEmpty()
        ? null
        : counting.stream().skip(Math.max(0, counting.size() - most)).map(Times::text).toList();
  }

  /** Another content is one that was seen while a pod waited. */
  private Credentials credentials(Credentials before, ComponentLook look) {
    Optional<String> fingerprint = look.dependency().credentials();
    if (fingerprint.isEmpty() || look.pods().stream().noneMatch(PodLook::fails)) {
      return null;
    }
    if (before == null) {
      return new Credentials(fingerprint.get(), null);
    }
    return before.fingerprint().equals(fingerprint.get())
        ? before
        : new Credentials(fingerprint.get(), Times.text(now));
  }

  /** Remembers that the operator replaces a pod now. */
  void replaced(ComponentLook look, RestartDecision.Allow allowed) {
    Component before = component(look.name());
    List<Instant> restarts = new ArrayList<>(restarts(look.name()));
    restarts.add(now);
    put(
        new Component(
            look.name(),
            kept(restarts, look.replicas()),
            before.pods(),
            new Replacement(
                allowed.pod().uid(),
                Times.text(now),
                Times.text(allowed.servesSince()),
                allowed.outages()),
            before.credentials()));
  }

  /** Why nothing of a component is replaced, if its budget is used up. */
  Optional<RestartDecision.Hold> hold(ComponentLook look) {
    int budget = policy.budget(look.replicas());
    List<Instant> counting = counting(restarts(look.name()));
    return counting.size() < budget
        ? Optional.empty()
        : Optional.of(
            new RestartDecision.Hold(
                counting.size(),
                budget,
                counting.get(counting.size() - budget).plus(policy.window())));
  }

  /** How many restarts of a component count now. */
  int count(String component) {
    return counting(restarts(component)).size();
  }

  /** Those within the window, the oldest first. */
  private List<Instant> counting(List<Instant> restarts) {
    return restarts.stream()
        .filter(time -> time.isAfter(now.minus(policy.window())))
        .sorted()
        .toList();
  }

  /** The last replacement of a component. */
  Optional<Replacement> lastReplacement(String component) {
    return Optional.ofNullable(component(component).replaced());
  }

  /** When the operator replaced a pod last, of whatever component. */
  Optional<Instant> lastReplacement() {
    return components.values().stream()
        .map(Component::replaced)
        .filter(Objects::nonNull)
        .map(replacement -> Times.of(replacement.at()))
        .max(Instant::compareTo);
  }

  /** When another content of a component's Secrets was seen, while a pod waited. */
  Optional<Instant> credentialsChangedAt(String component) {
    return Optional.ofNullable(component(component).credentials())
        .map(Credentials::changedAt)
        .map(Times::of);
  }

  /** What the status is to keep; null for nothing. */
  public RestartStatus status() {
    List<Component> told =
        components.values().stream().filter(component -> !isEmpty(component)).toList();
    return told.isEmpty() && released == null
        ? null
        : new RestartStatus(told.isEmpty() ? null : told, released);
  }

  private static boolean isEmpty(Component component) {
    return component.restarts() == null
        && component.pods() == null
        && component.replaced() == null
        && component.credentials() == null;
  }

  private List<Instant> restarts(String component) {
    List<String> times = component(component).restarts();
    return times == null ? List.of() : times.stream().map(Times::of).toList();
  }

  private static List<PodRestarts> pods(Component component) {
    return component.pods() == null ? List.of() : component.pods();
  }

  private Component component(String name) {
    return components.getOrDefault(name, new Component(name, null, null, null, null));
  }

  private void put(Component component) {
    components.put(component.name(), component);
  }
}

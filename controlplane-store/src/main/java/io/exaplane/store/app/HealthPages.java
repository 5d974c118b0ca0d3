// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.app.metrics.HealthCounts;
import io.exaplane.store.wire.page.PageAnswer;
import io.exaplane.store.wire.page.PageRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Whether the store is healthy, lives, is ready: {@code /health}, {@code /livez} and {@code
 * /readyz} with their checks, as etcd 3.6 answers them. Any thread; waits for nothing.
 *
 * <p>A store that waits for its disk is not ready, and lives: to kill it would help nobody.
 */
final class HealthPages {
  private static final String HEALTH = "{\"health\":\"%s\",\"reason\":\"%s\"}";
  private static final Supplier<String> OK = () -> "";

  /**
   * @param failure why it fails; empty if it does not
   */
  private record Check(String name, Supplier<String> failure) {}

  private final Supplier<String> writesFail;
  private final BooleanSupplier isFull;
  private final HealthCounts counts;
  private final List<Check> live = List.of(new Check("serializable_read", OK));
  private final List<Check> ready;

  /**
   * @param writesFail why nothing can be written now; empty if it can
   * @param isFull whether what makes the store grow is refused
   */
  HealthPages(Supplier<String> writesFail, BooleanSupplier isFull, HealthCounts counts) {
    this.writesFail = writesFail;
    this.isFull = isFull;
    this.counts = counts;
    this.ready =
        List.of(
            new Check("data_corruption", OK), // a store with damaged files does not start
            new Check("serializable_read", OK),
            new Check("linearizable_read", writesFail),
            new Check("non_learner", OK));
  }

  /** The page that a request is for; nothing if it is for another. */
  Optional<PageAnswer> answer(PageRequest request) {
    String path = request.path();
    if (path.equals("/health")) {
      return Optional.of(HttpPages.onlyGet(request, () -> health(request)));
    }
    return checks("livez", live, request).or(() -> checks("readyz", ready, request));
  }

  /** An alarm of space makes a store unhealthy, unless the probe does not mind. */
  private PageAnswer health(PageRequest request) {
    boolean isSerializable =
        request.query().getOrDefault("serializable", List.of()).contains("true");
    boolean minds = !request.query().getOrDefault("exclude", List.of()).contains("NOSPACE");
    String reason = minds && isFull.getAsBoolean() ? "ALARM NOSPACE" : "";
    if (reason.isEmpty() && !isSerializable) {
      reason = writesFail.get();
    }
    boolean healthy = reason.isEmpty();
    counts.health(healthy);
    PageAnswer answer =
        PageAnswer.ok("text/plain; charset=utf-8", HEALTH.formatted(healthy, reason));
    return healthy ? answer : new PageAnswer(503, answer.headers(), answer.body());
  }

  private Optional<PageAnswer> checks(String type, List<Check> checks, PageRequest request) {
    String path = request.path();
    if (path.equals("/" + type)) {
      return Optional.of(HttpPages.onlyGet(request, () -> run(type, checks, request)));
    }
    return checks.stream()
        .filter(each -> path.equals("/%s/%s".formatted(type, each.name())))
        .findFirst()
        .map(each -> HttpPages.onlyGet(request, () -> run(type, List.of(each), request)));
  }

  private PageAnswer run(String type, List<Check> checks, PageRequest request) {
    List<String> excluded = request.query().getOrDefault("exclude", List.of());
    List<String> lines = new ArrayList<>();
    boolean all = true;
    for (Check check : checks) {
      if (!excluded.contains(check.name())) {
        String failure = check.failure().get();
        boolean passes = failure.isEmpty();
        counts.check(type, check.name(), passes);
        all &= passes;
        lines.add(
            passes
                ? "[+]%s ok\n".formatted(check.name())
                : "[-]%s failed: %s\n".formatted(check.name(), failure));
      }
    }
    String details = String.join("", lines);
    if (!all) {
      return PageAnswer.text(503, details + "\n");
    }
    return PageAnswer.text(200, request.query().containsKey("verbose") ? details + "ok\n" : "ok\n");
  }
}

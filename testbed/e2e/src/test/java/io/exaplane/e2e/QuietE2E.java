// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An operator that starts takes nothing for lost, and looking again at a control plane that is as
 * it should be writes nothing.
 */
@Order(40)
@Tag("alone")
class QuietE2E {
  private static final int RECONCILES = 8;
  private static final int MOST_NOISE = 5;
  private static final String OFTEN = "6s";
  private static final String SELDOM = "30s";
  private static final Duration ONE_MORE = Duration.ofMinutes(5);
  private static final Duration IDLE = Duration.ofMinutes(5);

  @BeforeAll
  static void aSettledControlPlaneWithAPool() {
    DemoPool.inCharge();
    DemoPool.awaitSettled();
  }

  @AfterAll
  static void asBefore() {
    Operator.looksAsSeldomAsUsual();
  }

  @Test
  @Order(1)
  void aRestartedOperatorTakesNothingForLostAndPutsThePolicyRight() {
    try (Seen seen = new Seen()) {
      ProtectionE2E.breakThePolicy();
      Operator.looksEvery(OFTEN);
      ProtectionE2E.awaitThePolicy();
      // A change that only the new leader can have carried out.
      Demo.patch("{\"spec\":{\"controllerManager\":{\"replicas\":1}}}");
      Bed.await(
          "one controller-manager",
          ONE_MORE,
          () -> Bed.pods(Demo.NAME, Demo.NAMESPACE, "controller-manager").size() == 1);
      Demo.patch("{\"spec\":{\"controllerManager\":null}}");
      Demo.settled(DemoPool.PATIENCE);
      Bed.awaitHolds(
          DemoPool.PATIENCE,
          () -> assertThat(Bed.pods(Demo.NAME, Demo.NAMESPACE, "controller-manager")).hasSize(2));
      assertThat(seen.has("Available=False")).as(seen.toString()).isFalse();
    }
  }

  @Test
  @Order(2)
  void eightReconcilesWriteNothingButTheLease() throws IOException {
    Operator.looksEvery(OFTEN);
    reconcilesWriteNothing(Duration.ZERO, Write::isOfAStoresFigures);
  }

  /** What is due once in five minutes, too. Renewed Leases of a hosted cluster are no news. */
  @Test
  @Order(3)
  @Tag("long")
  void fiveIdleMinutesWriteNothingButTheLease() throws IOException {
    Operator.looksEvery(SELDOM);
    reconcilesWriteNothing(IDLE, _ -> false);
  }

  /**
   * What happens meanwhile on a busy machine, an endpoint that does not answer a probe in time for
   * one, is a reason to write; so the count begins anew then, a few times.
   *
   * @param least time without a write, however many reconciles it has
   * @param mayBe writes besides the Lease that are allowed: once for each object
   */
  private static void reconcilesWriteNothing(Duration least, Predicate<Write> mayBe)
      throws IOException {
    DemoPool.awaitSettled();
    List<List<Write>> noise = new ArrayList<>();
    Instant start = Instant.now();
    int before = reconciles();
    List<Write> writes = List.of();
    Duration quiet = Duration.ZERO;
    for (int done = 0; done < RECONCILES || quiet.compareTo(least) < 0; ) {
      int last = before + done;
      Bed.await("another reconcile", ONE_MORE, () -> reconciles() > last);
      done = reconciles() - before;
      Instant now = Instant.now();
      quiet = Duration.between(start, now);
      writes = writes(start, now);
      List<Write> others =
          writes.stream().filter(w -> !w.isOfTheLease() && !mayBe.test(w)).toList();
      if (!others.isEmpty()) {
        noise.add(others);
        assertThat(noise).as("writes of an idle operator").hasSizeLessThan(MOST_NOISE);
        start = now;
        before = reconciles();
        done = 0;
      }
    }
    assertThat(writes)
        .as("renewals of the Lease, so that the log is known to work")
        .anyMatch(Write::isOfTheLease);
    List<Write> allowed = writes.stream().filter(mayBe).toList();
    System.out.printf(
        "at least %d reconciles in %d s, %d writes of stores' figures; before that: %s%n",
        RECONCILES, quiet.toSeconds(), allowed.size(), noise);
    assertThat(allowed.stream().collect(groupingBy(Write::uri, counting())).values())
        .as("once for each store: %s", allowed)
        .allMatch(times -> times <= 1);
  }

  /** A request of the operator's that changes something, and how long after the start it came. */
  private record Write(String verb, String uri, long afterS) {
    boolean isOfTheLease() {
      return uri.matches(
          "/apis/coordination.k8s.io/v1/namespaces/.*/leases/exaplane-operator([?].*)?");
    }

    boolean isOfAStoresFigures() {
      return verb.equals("patch")
          && uri.matches("/apis/exaplane.io/v1alpha1/.*/storeshards/[^/]+/status.*");
    }
  }

  private static int reconciles() {
    return Operator.reconciles("controlplane");
  }

  /** Writes of the operator's user in that time by the API server's audit log. */
  private static List<Write> writes(Instant start, Instant end) throws IOException {
    ObjectMapper json = new ObjectMapper();
    List<Write> writes = new ArrayList<>();
    try (var files = Files.list(Bed.STATE.resolve("audit"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".log")).toList()) {
        for (String line : ofTheOperator(file)) {
          JsonNode event = json.readTree(line);
          Instant time = Instant.parse(event.path("requestReceivedTimestamp").asText());
          if (!event.path("user").path("username").asText().equals(Operator.USER)
              || time.isBefore(start)
              || time.isAfter(end)) {
            continue;
          }
          writes.add(
              new Write(
                  event.path("verb").asText(),
                  event.path("requestURI").asText(),
                  Duration.between(start, time).toSeconds()));
        }
      }
    }
    return writes;
  }

  /** The log is long, and most of it is of others. */
  private static List<String> ofTheOperator(Path log) throws IOException {
    try (var lines = Files.lines(log)) {
      return lines.filter(line -> line.contains(Operator.USER)).toList();
    }
  }
}

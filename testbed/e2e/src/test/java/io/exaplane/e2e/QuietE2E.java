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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Looking again at a control plane that is as it should be writes nothing. */
@Order(40)
class QuietE2E {
  private static final int RECONCILES = 8;
  private static final int MOST_NOISE = 5;
  private static final Duration ONE_MORE = Duration.ofMinutes(2);
  private static final Duration FIGURES_PERIOD = Duration.ofMinutes(5);
  private static final String OPERATOR_USER =
      "system:serviceaccount:" + Bed.OPERATOR_NAMESPACE + ":exaplane-operator";
  private static final List<String> CONTROLLERS =
      List.of("controlplane", "schedulerpool", "storeshard");
  private static final String EXECUTIONS =
      "(?m)^operator_sdk_controllers_execution_reconcile_success_total\\{[^}]*controller=\"%s\"[^}]*} ([0-9.]+)";

  @BeforeAll
  static void aSettledControlPlaneWithAPoolAndAnOperatorThatLooksEvery30Seconds() {
    DemoPool.inCharge();
    operatorInterval("30s");
    DemoPool.inCharge();
    DemoPool.awaitSettled();
  }

  @AfterAll
  static void asBefore() {
    operatorInterval("10m");
  }

  /**
   * What happens meanwhile on a busy machine, an endpoint that does not answer a probe in time for
   * one, is a reason to write; so the count begins anew then, a few times.
   */
  @Test
  void eightReconcilesWriteNothingButTheLease() throws IOException {
    List<List<Write>> noise = new ArrayList<>();
    Instant start = Instant.now();
    int before = reconciles();
    List<Write> writes = List.of();
    for (int done = 0; done < RECONCILES; ) {
      int last = before + done;
      Bed.await("another reconcile", ONE_MORE, () -> reconciles() > last);
      done = reconciles() - before;
      Instant now = Instant.now();
      writes = writes(start, now);
      List<Write> others = writes.stream().filter(write -> !write.isOfAStoresFigures()).toList();
      if (!others.isEmpty()) {
        noise.add(others);
        assertThat(noise).as("writes but for what stores measured").hasSizeLessThan(MOST_NOISE);
        start = now;
        before = reconciles();
        done = 0;
      }
    }
    Duration quiet = Duration.between(start, Instant.now());
    System.out.printf(
        "%d reconciles in %d s, %d writes, all of stores' figures; before that: %s%n",
        RECONCILES, quiet.toSeconds(), writes.size(), noise);
    long mostOfAStore = 1 + quiet.dividedBy(FIGURES_PERIOD);
    assertThat(writes.stream().collect(groupingBy(Write::uri, counting())).values())
        .as("each store's every five minutes: %s", writes)
        .allMatch(times -> times <= mostOfAStore);
  }

  /** A request of the operator's that changes something, and how long after the start it came. */
  private record Write(String verb, String uri, long afterS) {
    boolean isOfAStoresFigures() {
      return verb.equals("patch")
          && uri.matches("/apis/exaplane.io/v1alpha1/.*/storeshards/[^/]+/status.*");
    }
  }

  private static void operatorInterval(String interval) {
    Bed.exa(
        "kubectl",
        "--namespace=" + Bed.OPERATOR_NAMESPACE,
        "set",
        "env",
        "deployment/exaplane-operator",
        "EXAPLANE_RECONCILIATION_INTERVAL=" + interval);
    Bed.exa(
        "kubectl",
        "--namespace=" + Bed.OPERATOR_NAMESPACE,
        "rollout",
        "status",
        "deployment/exaplane-operator",
        "--timeout=120s");
    // the one before answers for a moment after the rollout, and holds the Lease
    Bed.awaitLeader(Duration.ofMinutes(2));
    Bed.await(
        "each of the operator's controllers has reconciled",
        Duration.ofMinutes(2),
        () -> CONTROLLERS.stream().allMatch(controller -> reconciles(controller) > 0));
  }

  private static int reconciles() {
    return reconciles("controlplane");
  }

  private static int reconciles(String controller) {
    Bed.Run run =
        Bed.run(
            List.of(
                Bed.HOME.resolve("exa").toString(),
                "kubectl",
                "get",
                "--raw",
                "/api/v1/namespaces/"
                    + Bed.OPERATOR_NAMESPACE
                    + "/services/http:exaplane-operator:80/proxy/q/metrics"));
    int sum = 0;
    Matcher matcher = Pattern.compile(EXECUTIONS.formatted(controller)).matcher(run.output());
    while (matcher.find()) {
      sum += (int) Double.parseDouble(matcher.group(1));
    }
    return sum;
  }

  /**
   * Writes of the operator's user in that time by the API server's audit log, its Lease left out.
   */
  private static List<Write> writes(Instant start, Instant end) throws IOException {
    ObjectMapper json = new ObjectMapper();
    List<Write> writes = new ArrayList<>();
    int ownLease = 0;
    try (var files = Files.list(Bed.STATE.resolve("audit"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".log")).toList()) {
        for (String line : Files.readAllLines(file)) {
          JsonNode event = json.readTree(line);
          Instant time = Instant.parse(event.path("requestReceivedTimestamp").asText());
          if (!event.path("user").path("username").asText().equals(OPERATOR_USER)
              || time.isBefore(start)
              || time.isAfter(end)) {
            continue;
          }
          JsonNode object = event.path("objectRef");
          boolean lease =
              object.path("resource").asText().equals("leases")
                  && object.path("name").asText().equals("exaplane-operator");
          if (lease) {
            ownLease++;
          } else {
            writes.add(
                new Write(
                    event.path("verb").asText(),
                    event.path("requestURI").asText(),
                    Duration.between(start, time).toSeconds()));
          }
        }
      }
    }
    assertThat(ownLease).as("renewals of the Lease, so that the log is known to work").isPositive();
    return writes;
  }
}

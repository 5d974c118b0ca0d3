// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With leaf certificates of three minutes, all are renewed in time and no client sees it. */
@Tag("long")
@Order(130)
class ShortCertificatesE2E {
  private static final Duration WATCHED = Duration.ofMinutes(9);

  @Test
  @Timeout(value = 25, unit = TimeUnit.MINUTES)
  void everyComponentTakesUpRenewedCertificatesAndNoRequestFails() {
    try (Scratch scratch = new Scratch("short", Bed.VERSION, "  pki: {leafValidity: 3m}")) {
      Bed.awaitCondition(
          scratch.name, scratch.namespace, ConditionType.Available, "True", Duration.ofMinutes(5));
      Instant end = Instant.now().plus(WATCHED);
      Map<String, Set<String>> seen = new TreeMap<>();
      Map<String, Set<Instant>> served = new TreeMap<>();
      try (BusyClient client = BusyClient.following(scratch.name, scratch.namespace)) {
        Bed.await(
            "three lives of a certificate",
            WATCHED.plusMinutes(2),
            () -> {
              look(scratch, seen, served);
              return Instant.now().isAfter(end);
            });
        System.out.printf("certificates issued: %s; serving: %s%n", counts(seen), served);
        assertThat(client.report("certificates of three minutes").failures()).isEmpty();
      }
      assertThat(seen.values()).allSatisfy(issued -> assertThat(issued.size()).isGreaterThan(3));
      assertThat(served.values())
          .allSatisfy(expiries -> assertThat(expiries.size()).isGreaterThan(2));
    }
  }

  private static void look(
      Scratch scratch, Map<String, Set<String>> seen, Map<String, Set<Instant>> served) {
    var status = Bed.controlPlane(scratch.name, scratch.namespace).getStatus();
    for (Certificate certificate : status.certificates()) {
      if (certificate.renewAfter() != null) {
        seen.computeIfAbsent(certificate.name(), name -> new TreeSet<>()).add(certificate.sha256());
      }
    }
    for (ServedCertificate.Server server : ServedCertificate.servers(scratch)) {
      ServedCertificate.expiry(server)
          .ifPresent(
              expiry -> {
                assertThat(expiry).as("what %s serves", server).isAfter(Instant.now());
                served.computeIfAbsent(server.component(), c -> new TreeSet<>()).add(expiry);
              });
    }
  }

  private static Map<String, Integer> counts(Map<String, Set<String>> seen) {
    Map<String, Integer> counts = new TreeMap<>();
    seen.forEach((name, issued) -> counts.put(name, issued.size()));
    return counts;
  }
}

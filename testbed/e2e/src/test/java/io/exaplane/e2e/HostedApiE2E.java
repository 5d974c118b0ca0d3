// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ConditionType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ten-line sample becomes a Kubernetes API. */
@Order(20)
@Tag("api")
class HostedApiE2E {
  @BeforeAll
  static void up() {
    Demo.up();
  }

  @Test
  void kubectlGetAnswers() {
    String table = Bed.kubectl("get", "cpl", Demo.NAME);
    assertThat(table.lines().findFirst().orElse("").split("\\s+"))
        .containsExactly(
            "NAME",
            "VERSION",
            "AVAILABLE",
            "PROGRESSING",
            "APISERVERS",
            "STORES",
            "SCHED",
            "ENDPOINT",
            "AGE");
    // A pod that did not answer a probe in time is not counted for a moment.
    Bed.awaitHolds(
        java.time.Duration.ofMinutes(4),
        () ->
            assertThat(Bed.kubectl("get", "cpl", Demo.NAME))
                .containsPattern("demo +" + Bed.VERSION + " +True +AsExpected +2/2 +2/2 +2/2"));
  }

  @Test
  void everyConditionIsThereWithItsReason() {
    var conditions = Demo.get().getStatus().conditions();
    assertThat(conditions)
        .extracting(condition -> condition.type())
        .containsExactlyInAnyOrder(
            java.util.Arrays.stream(ConditionType.values())
                // Told only of a control plane with add-ons.
                .filter(type -> type != ConditionType.AddonsReady)
                .map(Enum::name)
                .toArray(String[]::new));
    assertThat(conditions).allSatisfy(c -> assertThat(c.message()).isNotBlank());
  }

  /** By the launcher's way, which users take on this machine. */
  @Test
  void theHostedApiAnswersThroughItsKubeconfig() {
    assertThat(Bed.exa("kubectl", "get", "cpl", "--output=name")).contains("/" + Demo.NAME);
    assertThat(Bed.exa("kubectl", "--hosted", Demo.NAME + "." + Demo.NAMESPACE, "version"))
        .contains("Server Version: v" + Bed.VERSION);
    // An apiserver that another test's change made superfluous may still be draining.
    Bed.await(
        "/readyz?verbose is all ok",
        java.time.Duration.ofMinutes(4),
        () -> readyz().contains("readyz check passed"),
        HostedApiE2E::readyz);
    Bed.awaitHolds(
        java.time.Duration.ofMinutes(4),
        () -> assertThat(readyz()).contains("etcd-override-0").doesNotContain("failed"));
  }

  private static String readyz() {
    return Demo.run("get", "--raw", "/readyz?verbose").output();
  }

  @Test
  void eventsLiveInTheirOwnStore() {
    Demo.hosted("create", "deployment", "routing", "--image=none", "--replicas=1");
    Bed.await(
        "the Deployment's events are in the events store",
        java.time.Duration.ofMinutes(4),
        () -> keys("demo-events", "events") > 0);
    Demo.hosted("delete", "deployment", "routing");
    Bed.awaitHolds(
        java.time.Duration.ofMinutes(4),
        () -> {
          assertThat(keys("demo-events", "configmaps")).isZero();
          assertThat(keys("demo-default", "configmaps")).isPositive();
          assertThat(keys("demo-default", "events")).isZero();
        });
  }

  /** Keys of a Kind that a store counts. */
  private static long keys(String shard, String kind) {
    String page = "/api/v1/namespaces/default/services/%s:metrics/proxy/metrics".formatted(shard);
    return Bed.CLIENT
        .raw(page)
        .lines()
        .filter(line -> line.startsWith("exaplane_store_kind_keys{kind=\"%s\"".formatted(kind)))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf('}') + 1)))
        .sum();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.entry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.port.Health;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workloads that somebody holds back on purpose, and those that only look so. */
class HealthRulesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static Health health(String apiVersion, String kind, String spec, String status)
      throws IOException {
    return HealthRules.of(
        Gvk.of(apiVersion, kind),
        JSON.readTree(
            ("{'metadata':{'generation':2},'spec':%s,'status':%s}".formatted(spec, status))
                .replace('\'', '"')));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, IN_PROGRESS",
    "0, 10, CURRENT",
    "3, 6, IN_PROGRESS",
    "3, 7, CURRENT",
    "10, 0, CURRENT",
    "20, 0, CURRENT"
  })
  void podsAboveThePartitionMustBeNew(int partition, int updated, Health health)
      throws IOException {
    String spec =
        "{'replicas':10,'updateStrategy':{'type':'RollingUpdate','rollingUpdate':{'partition':%d}}}"
            .formatted(partition);
    String status =
        "{'observedGeneration':2,'readyReplicas':10,'updateRevision':'b','updatedReplicas':%d}"
            .formatted(updated);
    assertThat(health("apps/v1", "StatefulSet", spec, status)).isEqualTo(health);
  }

  @ParameterizedTest
  @CsvSource({
    "OnDelete, 3, CURRENT",
    "OnDelete, 2, IN_PROGRESS",
    "RollingUpdate, 3, IN_PROGRESS",
  })
  void podsThatTheUserReplacesNeedOnlyBeThere(String type, int available, Health health)
      throws IOException {
    String spec = "{'updateStrategy':{'type':'%s'}}".formatted(type);
    String status =
        "{'observedGeneration':2,'desiredNumberScheduled':3,'updatedNumberScheduled':1,'numberAvailable':%d}"
            .formatted(available);
    assertThat(health("apps/v1", "DaemonSet", spec, status)).isEqualTo(health);
  }

  @ParameterizedTest
  @CsvSource({"Bound, CURRENT", "Pending, IN_PROGRESS", "Lost, FAILED"})
  void aClaimThatLostItsVolumeFailed(String phase, Health health) throws IOException {
    assertThat(health("v1", "PersistentVolumeClaim", "{}", "{'phase':'%s'}".formatted(phase)))
        .isEqualTo(health);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Lines 31, 37: somebody's webhook sets a field back each time, and nothing is written for ever.
 */
class AnsweredWritesTest {
  private final AtomicLong nowNs = new AtomicLong();
  private final AnsweredWrites writes = new AnsweredWrites(nowNs::get);
  private final Deployment wanted = deployment("registry/i:1", "a: b", "replicas: 2");
  private final Deployment mutated = deployment("mirror/i:1", "a: b", "replicas: 2");

  @Test
  void aWriteThatChangedNothingIsNotRepeated() {
    assertThat(writes.has(mutated, wanted)).isFalse();
    writes.note(mutated, wanted, mutated);
    assertThat(writes.has(mutated, wanted)).isTrue();
  }

  /** What the server and controllers write all the time is no change. */
  @Test
  void aStatusIsNoChange() {
    Deployment answer = Serialization.clone(mutated);
    answer.getMetadata().setResourceVersion("9");
    answer.getMetadata().setGeneration(4L);
    writes.note(mutated, wanted, answer);
    Deployment later = Serialization.clone(answer);
    later.getMetadata().setResourceVersion("10");
    later.setStatus(Serialization.unmarshal("readyReplicas: 2", later.getStatus().getClass()));
    assertThat(writes.has(later, wanted)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          mirror/i:1 | a: c | replicas: 2 | registry/i:1 | a: b
          mirror/i:1 | a: b | replicas: 3 | registry/i:1 | a: b
          mirror/i:2 | a: b | replicas: 2 | registry/i:1 | a: b
          mirror/i:1 | a: b | replicas: 2 | registry/i:2 | a: b
          mirror/i:1 | a: b | replicas: 2 | registry/i:1 | c: d
          """)
  void whateverElseDiffersIsWritten(
      String image, String labels, String spec, String wantedImage, String wantedLabels) {
    writes.note(mutated, wanted, mutated);
    assertThat(
            writes.has(
                deployment(image, labels, spec),
                deployment(wantedImage, wantedLabels, "replicas: 2")))
        .isFalse();
  }

  @Test
  void aWriteThatChangedSomethingIsNoAnswer() {
    writes.note(deployment("old/i:1", "a: b", "replicas: 2"), wanted, mutated);
    assertThat(writes.has(mutated, wanted)).isFalse();
  }

  /** The rule may have gone meanwhile. */
  @Test
  void itIsTriedAgainInAnHour() {
    writes.note(mutated, wanted, mutated);
    nowNs.set(Duration.ofMinutes(59).toNanos());
    assertThat(writes.has(mutated, wanted)).isTrue();
    nowNs.set(Duration.ofMinutes(61).toNanos());
    assertThat(writes.has(mutated, wanted)).isFalse();
  }

  private static Deployment deployment(String image, String labels, String spec) {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: d, namespace: ns, uid: u, labels: {%s}}
        spec: {%s, template: {spec: {containers: [{name: c, image: '%s'}]}}}
        status: {}
        """
            .formatted(labels, spec, image),
        Deployment.class);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of requests that wait to be repeated when the load ends. */
class PatientApiTest {
  private static final Call CREATE = Call.create("nodes", "/api/v1/nodes", Call.JSON, new byte[2]);

  private final FakeTimer timer = new FakeTimer();
  private final FakeApi api = new FakeApi(timer, Duration.ofMillis(100));
  private final PatientApi patient = new PatientApi(api, timer);
  private final List<Integer> answers = new ArrayList<>();

  @Test
  void aCreationThatWaitsIsNotSentBehindTheEnd() {
    api.plan("create nodes", new Answer(429, new byte[0], 5, ""));
    patient.send(CREATE, answer -> answers.add(answer.status()));
    assertThat(patient.underWay()).isEqualTo(1);
    timer.advance(Duration.ofSeconds(1));
    assertThat(patient.underWay()).isZero();
    patient.stop();
    timer.advance(Duration.ofMinutes(1));
    assertThat(api.operations()).containsExactly("create nodes");
    assertThat(answers).containsExactly(429);
  }

  @Test
  void aNewRequestIsRefusedBehindTheEnd() {
    patient.stop();
    patient.send(CREATE, answer -> answers.add(answer.status()));
    timer.advance(Duration.ofMinutes(1));
    assertThat(api.operations()).isEmpty();
    assertThat(answers).containsExactly(Answer.NONE);
  }
}

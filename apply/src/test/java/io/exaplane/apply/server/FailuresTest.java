// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.port.Failure;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A webhook or an aggregated API of a tenant chooses the words that come back. */
class FailuresTest {
  private final ObjectNode status =
      new ObjectMapper().createObjectNode().put("kind", "Status").put("reason", "Forbidden");

  private Failure failure(String retryAfter) {
    byte[] body = status.toString().getBytes(StandardCharsets.UTF_8);
    return Failures.of(403, body, retryAfter).failure();
  }

  @Test
  void wordsHaveABoundSinceTheyAreKeptForEachObject() {
    status.put("message", "no ".repeat(1 << 20) + "field is immutable");
    ArrayNode causes = status.putObject("details").putArray("causes");
    for (int at = 0; at < 10_000; at++) {
      causes.addObject().put("reason", "FieldManagerConflict").put("field", "x".repeat(2_000));
    }
    Failure failure = failure(null);
    assertThat(failure.message())
        .startsWith("no no")
        .contains(" … ")
        .endsWith("field is immutable")
        .hasSizeLessThan(5_000);
    assertThat(failure.causes()).hasSizeLessThan(100);
    assertThat(failure.causes().getFirst().field()).hasSizeLessThan(600);
    assertThat(failure.hasCause("FieldManagerConflict")).isTrue();
  }

  @Test
  void wordsAreOneLineWithoutCommandsForATerminal() {
    status.put("message", "denied\u001b[2J\r\n\u009b31mby\tthe hook\n");
    assertThat(failure(null).message()).isEqualTo("denied [2J 31mby the hook");
    byte[] page = "<html>\u001b]0;x\u0007 no".getBytes(StandardCharsets.UTF_8);
    assertThat(Failures.of(502, page, null).failure().message()).isEqualTo("<html> ]0;x no");
  }

  @Test
  void nobodyWaitsForDaysBecauseAServerSaysSo() {
    assertThat(failure("7").retryAfterMs()).isEqualTo(7_000);
    assertThat(failure("999999").retryAfterMs()).isEqualTo(600_000);
    ObjectNode details = status.putObject("details");
    details.put("retryAfterSeconds", Long.MAX_VALUE / 500);
    assertThat(failure(null).retryAfterMs()).isEqualTo(600_000);
    details.put("retryAfterSeconds", -5);
    assertThat(failure(null).retryAfterMs()).isZero();
  }
}

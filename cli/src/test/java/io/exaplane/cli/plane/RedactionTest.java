// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "password=a1            | password=<removed>",
        "my_token: 'two words'; x | my_token: <removed>; x",
        "--client-secret=abc --x=1 | --client-secret=<removed> --x=1",
        "X-Api-Key: abc         | X-Api-Key: <removed>",
        "{\"kind\":\"Secret\",\"data\":{\"a\":\"b\"}} | <removed>",
        "say \\\"kind\\\": \\\"Secret\\\" | <removed>",
        "password=\"cut off | password=<removed> off",
        "http://u:p@h/x         | http://<removed>@h/x",
        "authorization: Basic dXNlcjpwYXNz | authorization: <removed> <removed>",
      })
  void theSecretGoesAndTheRestStays(String text, String clean) {
    assertThat(new Redaction().text(text)).isEqualTo(clean);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--service-account-key-file=/pki/sa.key",
        "Secret demo-ca is missing",
        "secretName: demo-ca",
        "kind: SecretStore",
        "imagePullSecrets: [x]",
        "https://[2001:db8::1]:6443/x",
        "--authorization-mode=Node,RBAC",
        "tokens: 5 of 6",
      })
  void ordinaryTextsStay(String text) {
    Redaction redaction = new Redaction();
    assertThat(redaction.text(text)).isEqualTo(text);
    assertThat(redaction.removed()).isZero();
  }

  /** Half a second each on an idle machine. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a-",
        "ab.",
        "eyJ-",
        "token='",
        "x@",
        "a://b:",
        "token",
        "\"password\\\\",
        "basic ",
        "kind: "
      })
  void aLineOfAMegabyteTakesSeconds(String part) {
    String line = part.repeat((1 << 20) / part.length());
    Assertions.assertTimeoutPreemptively(Duration.ofSeconds(60), () -> new Redaction().text(line));
  }

  @ParameterizedTest
  @CsvSource({"'LS0tLS1CRUdJTiBQUklWQVRF', ''", "'password: |', '  '"})
  void manyLinesOfASecretNeedNoStack(String first, String indent) {
    String lines = (indent + "U29tZXRoaW5nU2VjcmV0SGVyZQU29tZXRoaW5nU2VjcmV0\n").repeat(50_000);
    String clean = new Redaction().text(first + "\n" + lines + "end: x");
    assertThat(clean.contains("U29tZX")).as("a part of the secret is left").isFalse();
    assertThat(clean).endsWith("end: x");
  }
}

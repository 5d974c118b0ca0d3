// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The numbers that the engine's own tests compare with are still what Go makes. */
class NumbersOracleTest {
  @Test
  void areAsCommitted() throws IOException {
    Process process = new ProcessBuilder(Oracle.program(), "-numbers").start();
    try (InputStream committed = getClass().getResourceAsStream("/go-numbers.txt");
        InputStream printed = process.getInputStream()) {
      assertThat(new String(printed.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(new String(committed.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 30: an answer that could not be written whole is no success. */
class StandardOutputTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // why nothing can be written | the command's code | the exit code | what is said
        "- | 0 | 0 | -",
        "- | 2 | 2 | -",
        "No space left on device | 0 | 1 | error: standard output: the answer is not complete: No space left on device; free space, or write elsewhere",
        "No space left on device | 2 | 2 | error: standard output: the answer is not complete: No space left on device; free space, or write elsewhere",
        "Broken pipe | 0 | 0 | -",
      })
  void theExitCodeTells(String why, int code, int expected, String said) {
    StandardOutput output =
        new StandardOutput(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                if (why != null) {
                  throw new IOException(why);
                }
              }
            });
    PrintStream answer = new PrintStream(output, false, StandardCharsets.UTF_8);
    answer.println("an answer");
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    assertThat(output.exitCode(code, answer, new PrintStream(errors, true, StandardCharsets.UTF_8)))
        .isEqualTo(expected);
    assertThat(errors.toString(StandardCharsets.UTF_8).strip()).isEqualTo(said == null ? "" : said);
  }

  /** So 'logs --follow | grep -m 1' ends: a command that goes on and on has to ask. */
  @Test
  void aWriterKnowsThatNobodyReads() {
    AtomicBoolean isClosed = new AtomicBoolean();
    StandardOutput output =
        new StandardOutput(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                if (isClosed.get()) {
                  throw new IOException("Broken pipe");
                }
              }
            });
    PrintStream answer =
        new PrintStream(new BufferedOutputStream(output), false, StandardCharsets.UTF_8);
    PrintWriter out = StandardOutput.writer(answer);
    out.println("a line");
    assertThat(out.checkError()).isFalse();
    isClosed.set(true);
    out.println("a line");
    assertThat(out.checkError()).isTrue();
  }
}

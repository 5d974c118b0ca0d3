// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.engine;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.testbed.machine.Machine;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The real kube-scheduler framework as a process that answers scenarios; EXA_ORACLE is its program.
 */
final class Oracle implements AutoCloseable {
  private final ObjectMapper mapper = new ObjectMapper();
  private final Process process;
  private final BufferedReader answers;
  private final BufferedWriter questions;

  Oracle(List<String> flags) {
    List<String> command = new ArrayList<>(List.of(program()));
    command.addAll(flags);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    // Its heap is small, and collecting it as often as Go does by itself is a quarter of its work.
    builder.environment().put("GOGC", "400");
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    answers = process.inputReader();
    questions = process.outputWriter();
  }

  /** The oracle's program. */
  static String program() {
    return Machine.environment("EXA_ORACLE");
  }

  /**
   * Writes questions from a thread of its own, so that neither side waits for the other with full
   * pipes.
   */
  Thread ask(Iterable<?> questionsToAsk) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try (questions) {
                for (Object question : questionsToAsk) {
                  questions.write(mapper.writeValueAsString(question));
                  questions.write('\n');
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  /** The next answer, or null after the last. */
  <T> T next(Class<T> kind) {
    try {
      String line = answers.readLine();
      return line == null ? null : mapper.readValue(line, kind);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next answer as it is, or null after the last. */
  String nextLine() {
    try {
      return answers.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Remembers why an answer could not be written: a PrintStream tells nobody, so that a full disk
 * would leave half an answer and the exit code of a whole one. Used by one thread.
 */
final class StandardOutput extends FilterOutputStream {
  /** Whoever reads the answer has read enough. */
  private static final String READER_GONE = "Broken pipe";

  private IOException failure;

  StandardOutput(OutputStream out) {
    super(out);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      failure = failure == null ? e : failure;
      throw e;
    }
  }

  @Override
  public void flush() throws IOException {
    try {
      out.flush();
    } catch (IOException e) {
      failure = failure == null ? e : failure;
      throw e;
    }
  }

  /**
   * What commands write with: {@code checkError} tells that nobody reads any more. A writer of
   * picocli's own would never know, since a PrintStream below another stream says nothing.
   *
   * @param answer a stream over this one
   */
  static PrintWriter writer(PrintStream answer) {
    return new PrintWriter(answer, true, StandardCharsets.UTF_8);
  }

  /** What to say of an answer that is not whole. */
  private Optional<String> complaint() {
    return Optional.ofNullable(failure)
        .map(e -> String.valueOf(e.getMessage()))
        .filter(message -> !message.contains(READER_GONE))
        .map(
            message ->
                "error: standard output: the answer is not complete: %s; free space, or write elsewhere"
                    .formatted(message));
  }

  /**
   * The exit code of a command after its answer was written.
   *
   * @param code that of the command
   * @param answer where the command wrote
   * @param errors where to say that the answer is not whole
   */
  int exitCode(int code, PrintStream answer, PrintStream errors) {
    answer.flush();
    Optional<String> complaint = complaint();
    complaint.ifPresent(errors::println);
    return code == 0 && complaint.isPresent() ? Exactl.FAILED : code;
  }
}

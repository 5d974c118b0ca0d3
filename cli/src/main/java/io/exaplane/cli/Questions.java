// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.model.InvalidInputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Questions to the person at the terminal. Used by one thread. */
final class Questions {
  // One reader for all questions: a reader reads ahead.
  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final PrintWriter err;

  Questions(PrintWriter err) {
    this.err = err;
  }

  /**
   * Asks, and returns the answer without spaces around it.
   *
   * @param option the option, without dashes, by which a script answers
   * @param next what a script writes instead
   * @throws InvalidInputException if nobody answers
   */
  String ask(String question, String option, String next) throws IOException {
    err.print(question);
    err.flush();
    String answer = in.readLine();
    if (answer == null) {
      err.println();
      throw new InvalidInputException(option, "", "must be given if the command cannot ask", next);
    }
    return answer.strip();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CompletionCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... words) {
    out.getBuffer().setLength(0);
    return Exactl.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
  }

  @AfterEach
  void restore() {
    System.clearProperty("exactl.name");
  }

  @Test
  void kubectlsHelperGetsWordsAndADirective() {
    assertThat(run("__complete", "roll")).isZero();
    assertThat(out.toString().lines()).containsExactly("rollout", ":4");
    run("__complete", "rollout", "");
    assertThat(out.toString().lines()).contains("pause", "resume", "status", "undo", ":4");
    run("__complete", "logs", "--ti");
    assertThat(out.toString().lines()).containsExactly("--timestamps", ":4");
    run("__complete", "no-such-word");
    assertThat(out.toString().lines()).containsExactly(":0");
  }

  @Test
  void shellsGetAScriptUnderTheNameThatWasCalled() {
    System.setProperty("exactl.name", "kubectl-exaplane");
    assertThat(run("completion")).as(err.toString()).isZero();
    assertThat(out.toString()).contains("kubectl-exaplane", "rollout", "--timestamps");
    assertThat(run("why", "--nonsense")).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).contains("'kubectl exaplane why --help' lists the options");
  }

  @Test
  void helpHasTheExitCodes() {
    run("--help");
    assertThat(out.toString())
        .contains("Exit codes:", "2   an option or a file is wrong; nothing was done");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MainTest {
  /** What is told of flags that no store starts with. */
  private static String refusal(String... flags) {
    StringWriter told = new StringWriter();
    int code = Main.commandLine().setErr(new PrintWriter(told)).execute(flags);
    assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(told.toString().lines()).as("the reason, not the flags").hasSize(1);
    assertThat(told.toString()).endsWith("(see 'store --help')\n");
    return told.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "--cert-fil=x, Unknown option: '--cert-fil=x'",
    "--listen-client-urls=https://[::1]:1, --cert-file: null is needed",
    "--max-txn-ops, Missing required parameter for option '--max-txn-ops'",
    "--prefix-history=/a/=500ms, --prefix-history: /a/=500ms must be 1s or more",
    "--prefix-history==1m, needs a prefix",
    "--prefix-history=/a/=soon, is no duration",
    "--prefix-quota-bytes=/a/=0, --prefix-quota-bytes: /a/=0 must be above 0",
    "--quota-backend-bytes=-1, --quota-backend-bytes: -1 must be 0 or more",
    "--quota-load-bytes=-1, --quota-load-bytes: -1 must be 0 or more",
    "--max-txn-ops=-1, --max-txn-ops: -1 must be 0 or more",
    "--max-request-bytes=0, --max-request-bytes: 0 must be 1 to 16777216",
    "--max-request-bytes=16777217, --max-request-bytes: 16777217 must be 1 to 16777216",
    "--auto-compaction-retention=soon, --auto-compaction-retention: soon must be hours",
  })
  void aBadFlagIsToldWithItsRule(String flag, String told) {
    assertThat(refusal(flag)).contains(told);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--client-cert-allowed-cn=a --client-cert-allowed-hostname=b | exclude each other",
        "--client-cert-allowed-cn=a,,b | need a name",
        "--client-cert-allowed-hostname= | need a name",
        "--client-cert-allowed-cn=a | need --client-cert-auth",
        "--client-cert-allowed-cn=a --client-cert-auth | and https URLs",
        "--client-cert-allowed-cn=a --listen-client-urls=https://[::1]:1 | need --client-cert-auth",
      })
  void namesOfClientsNeedClientsThatAreAsked(String flags, String told) {
    assertThat(refusal(flags.split(" "))).contains(told);
  }

  @Test
  void thereAreNotAnyNumberOfWindows() {
    String[] flags =
        IntStream.rangeClosed(1, 17)
            .mapToObj("--prefix-history=/%1$d/=%1$dm"::formatted)
            .toArray(String[]::new);
    assertThat(refusal(flags)).contains("17 different durations must be 16 at most");
  }
}

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
    "--prefix-history=/a/=soon, is not a duration",
    "--prefix-quota-bytes=/a/=0, --prefix-quota-bytes: /a/=0 must be above 0",
    "--quota-backend-bytes=8G, 8G' must be a whole number without a unit",
    "--quota-backend-bytes=09, 09' must be a whole number",
    "--max-txn-ops=9999999999, 9999999999' must be a whole number without a unit",
    "--client-cert-auth=yes, yes' must be true or false",
    "--grpc-keepalive-timeout=9999999h, 9999999h' is too long",
    "--grpc-keepalive-timeout=5, 5' is not a duration",
    "--auto-compaction-retention=-1h, --auto-compaction-retention: -1h must be 0 or more",
    "--listen-client-urls=127.0.0.1:2379, --listen-client-urls: 127.0.0.1:2379 must be http://HOST:PORT",
    "--listen-client-urls=http://xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx:1, knows no address of the host",
    "--advertise-client-urls=foo, --advertise-client-urls: foo must be http://HOST:PORT",
    "--tls-min-version=TLS1.1, --tls-min-version: TLS1.1 must be TLS1.2 or TLS1.3",
    "--cipher-suites=TLS_RSA_WITH_NULL_MD5, --cipher-suites: TLS_RSA_WITH_NULL_MD5 must be a suite",
    "--cipher-suites=TLS_ECDHE_XXX_WITH_CHACHA20_POLY1305, TLS_ECDHE_XXX_WITH_CHACHA20_POLY1305 must be a suite",
    "--client-cert-file=x, --client-cert-file: the JSON gateway connects to no other process",
    "--enable-lease-checkpoint, --enable-lease-checkpoint: the store keeps the remaining time of leases over a restart",
    "--initial-cluster=a=http://b:1, --initial-cluster: this store has one member and no peers",
    "-snapshot-count=1, --snapshot-count: the store's files are not etcd's",
    "--experimental-initial-corrupt-check=true, checks its files at each start; leave these flags",
    "--log-level=debug, --log-level: the store logs lines",
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
        "--client-cert-allowed-cn=a | need --trusted-ca-file",
        "--client-cert-allowed-cn=a --client-cert-auth | and https URLs",
        "--client-cert-allowed-cn=a --listen-client-urls=https://[::1]:1 | need --trusted-ca-file",
      })
  void namesOfClientsNeedClientsThatAreAsked(String flags, String told) {
    assertThat(refusal(flags.split(" "))).contains(told);
  }

  /** A refused flag keeps the store from starting; the warning comes before. */
  @Test
  void aUrlThatAsksForNoCertificateIsToldThoughACaIsGiven() {
    StringWriter told = new StringWriter();
    Main.commandLine()
        .setErr(new PrintWriter(told))
        .execute(
            "--trusted-ca-file=ca.crt",
            "--listen-client-urls=http://0.0.0.0:1",
            "--auto-compaction-retention=-1h");
    assertThat(told.toString())
        .startsWith("WARNING --listen-client-urls: http://0.0.0.0:1 lets in clients")
        .contains("--auto-compaction-retention");
  }

  /** As Go's packages flag, strconv and time take them. */
  @ParameterizedTest
  @CsvSource({
    "--client-cert-auth=1, true",
    "--client-cert-auth=T, true",
    "--client-cert-auth=F, false",
    "--client-cert-auth, true",
    "-client-cert-auth=TRUE, true",
    "--quota-backend-bytes=0x80000000, 2147483648",
    "--quota-backend-bytes=8_589_934_592, 8589934592",
    "--quota-backend-bytes=010, 8",
    "--quota-backend-bytes=0b11, 3",
    "--quota-backend-bytes=0, 0",
    "--quota-backend-bytes=-1, -1",
    "--max-concurrent-streams=4294967295, 4294967295",
    "-max-txn-ops=7, 7",
    "--grpc-keepalive-interval=0, PT0S",
    "--grpc-keepalive-interval=.5h, PT30M",
    "--grpc-keepalive-interval=1.s, PT1S",
    "--grpc-keepalive-interval=-5s, PT-5S",
    "--grpc-keepalive-interval=1h30m0.5s, PT1H30M0.5S",
    "--experimental-watch-progress-notify-interval=5s, PT5S",
    "-name=foo, foo"
  })
  void valuesAreTakenAsGoTakesThem(String flag, String value) {
    CommandLine command = Main.commandLine();
    command.parseArgs(GoValues.withTwoDashes(command, flag));
    String name = flag.replaceFirst("=.*", "").replaceFirst("^-(?=[a-z])", "--");
    assertThat(command.getCommandSpec().findOption(name).<Object>getValue()).hasToString(value);
  }

  @Test
  void valuesKeepTheirDashes() {
    CommandLine command = Main.commandLine();
    assertThat(
            GoValues.withTwoDashes(
                command, "-h", "-xy", "-repair", "-heartbeat-interval=1", "-5s", "a-name"))
        .containsExactly("-h", "-xy", "--repair", "--heartbeat-interval=1", "-5s", "a-name");
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

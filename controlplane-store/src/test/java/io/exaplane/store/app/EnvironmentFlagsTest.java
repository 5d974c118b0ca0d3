// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Flags from the environment, and URLs as people write them. */
class EnvironmentFlagsTest {
  private static CommandLine parsed(Map<String, String> environment, String... arguments) {
    CommandLine command = EnvironmentFlags.addTo(Main.commandLine(), environment);
    command.parseArgs(arguments);
    return command;
  }

  private static Object value(CommandLine command, String option) {
    return command.getCommandSpec().findOption(option).getValue();
  }

  @Test
  void aVariableIsAFlagAndAFlagCountsMore() {
    Map<String, String> environment =
        Map.of(
            "ETCD_NAME", "from-the-environment",
            "ETCD_LISTEN_CLIENT_URLS", "http://127.0.0.1:1, https://127.0.0.1:2 ,unix:///s",
            "ETCD_CLIENT_CERT_AUTH", "true",
            "ETCD_PREFIX_DURABILITY", "/registry/events/=memory");
    CommandLine command = parsed(environment, "--max-txn-ops=7");
    assertThat(value(command, "--name")).isEqualTo("from-the-environment");
    assertThat(value(command, "--max-txn-ops")).isEqualTo(7);
    assertThat(value(command, "--client-cert-auth")).isEqualTo(true);
    assertThat(value(command, "--prefix-durability"))
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
        .containsKey("/registry/events/");
    assertThat(value(command, "--listen-client-urls"))
        .isEqualTo(List.of("http://127.0.0.1:1", "https://127.0.0.1:2", "unix:///s"));
    assertThat(value(parsed(environment, "--name=flag"), "--name")).isEqualTo("flag");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://a:1,http://b:2",
        "http://a:1, http://b:2",
        "http://a:1 ,http://b:2",
        "http://a:1 , \t http://b:2"
      })
  void blanksAroundACommaAreNoPartOfAUrl(String urls) {
    List<String> expected = List.of("http://a:1", "http://b:2");
    for (String flag : List.of("--listen-client-urls", "--listen-metrics-urls")) {
      assertThat(value(parsed(Map.of(), flag + "=" + urls), flag)).isEqualTo(expected);
    }
  }

  @Test
  void aVariableThatIsNoFlagIsTold() {
    StringWriter err = new StringWriter();
    CommandLine command =
        EnvironmentFlags.addTo(
                Main.commandLine(), Map.of("ETCD_NMAE", "x", "ETCD_NAME", "y", "HOME", "/"))
            .setErr(new PrintWriter(err));
    assertThat(command.execute("--max-request-bytes=0")).isNotZero();
    assertThat(err.toString())
        .contains("ETCD_NMAE in the environment is not a flag of this store and is ignored")
        .doesNotContain("ETCD_NAME ")
        .doesNotContain("HOME");
  }

  @ParameterizedTest
  @CsvSource({
    "http://[::1]:2379, false",
    "https://[::]:1, true",
    "unix:///run/s, false",
    "HTTP://127.0.0.1:1/, false",
    "Https://127.0.0.1:1, true"
  })
  void anEndpointHasTlsByItself(String url, boolean isSecure) {
    assertThat(Endpoint.of(url).isSecure()).isEqualTo(isSecure);
  }

  @ParameterizedTest
  @CsvSource({
    "http://a, must be http://HOST:PORT",
    "ftp://a:1, must be http://HOST:PORT",
    "//a:1, must be http://HOST:PORT",
    "unix://host, must be http://HOST:PORT",
    "127.0.0.1:2379, must be http://HOST:PORT",
    "http://127.0.0.1:1/x, without a path",
    "http://127.0.0.1:1?x, without a path",
    "http://me@127.0.0.1:1, must be http://HOST:PORT",
    "http://127.0.0.1:99999, the port must be 0 to 65535",
    "http://xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx:1, knows no address of the host xxx"
  })
  void whatIsNoEndpointIsRefused(String url, String told) {
    assertThatThrownBy(() -> Endpoint.of(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(url)
        .hasMessageContaining(told);
  }

  @Test
  void aVariableWithoutAValueIsNoVariableAndOlderNamesAreTaken() {
    CommandLine command =
        parsed(
            Map.of(
                "ETCD_QUOTA_BACKEND_BYTES", "",
                "ETCD_NAME", "",
                "ETCD_EXPERIMENTAL_WATCH_PROGRESS_NOTIFY_INTERVAL", "5s",
                "ETCD_WARNING_UNARY_REQUEST_DURATION", "7s"));
    assertThat(value(command, "--quota-backend-bytes")).isEqualTo(0L);
    assertThat(value(command, "--name")).isEqualTo("default");
    assertThat(value(command, "--watch-progress-notify-interval")).isEqualTo(Duration.ofSeconds(5));
    assertThat(value(command, "--slow-request-threshold")).isEqualTo(Duration.ofSeconds(7));
  }
}

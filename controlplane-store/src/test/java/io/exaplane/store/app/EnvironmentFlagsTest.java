// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
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
        .isEqualTo(
            List.of(
                URI.create("http://127.0.0.1:1"),
                URI.create("https://127.0.0.1:2"),
                URI.create("unix:///s")));
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
    List<URI> expected = List.of(URI.create("http://a:1"), URI.create("http://b:2"));
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
  @CsvSource({"http://[::1]:2379, false", "https://[::]:1, true", "unix:///run/s, false"})
  void anEndpointHasTlsByItself(URI url, boolean isSecure) {
    assertThat(Endpoint.of(url).isSecure()).isEqualTo(isSecure);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://a", "ftp://a:1", "//a:1", "unix://host"})
  void whatIsNoEndpointIsRefused(URI url) {
    assertThatThrownBy(() -> Endpoint.of(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be http://HOST:PORT");
  }
}

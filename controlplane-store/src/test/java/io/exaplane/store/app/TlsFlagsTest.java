// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.app.tls.TestAuthority;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** Which clients flags let in; etcd 3.6.8 does the same. */
class TlsFlagsTest {
  @TempDir Path folder;
  private String pair;
  private Path ca;

  @Command
  private static final class Flags {
    @Mixin private TlsFlags tls = new TlsFlags();
  }

  @BeforeEach
  void files() throws Exception {
    TestAuthority authority = new TestAuthority(folder);
    TestAuthority.Pair server = authority.issue("CN=store", "server", "ip:127.0.0.1");
    ca = authority.file();
    pair =
        "--cert-file=%s --key-file=%s "
            .formatted(
                authority.pem("tls.crt", "CERTIFICATE", server.certificate().getEncoded()),
                authority.pem("tls.key", "PRIVATE KEY", server.key().getEncoded()));
  }

  private static TlsFlags flags(String flags) {
    return flags(flags, new StringWriter());
  }

  private static TlsFlags flags(String flags, StringWriter told) {
    Flags read = new Flags();
    GoValues.addTo(new CommandLine(read).setErr(new PrintWriter(told)))
        .parseArgs(flags.strip().split(" +"));
    return read.tls;
  }

  @Test
  void aCaAloneAsksClientsForACertificate() {
    assertThat(flags(pair).files(true).requiresClients()).isFalse();
    assertThat(flags(pair + "--trusted-ca-file= --client-crl-file=").files(true).requiresClients())
        .isFalse();
    for (String asked : new String[] {"", " --client-cert-auth", " --client-cert-auth=false"}) {
      assertThat(flags(pair + "--trusted-ca-file=" + ca + asked).files(true).requiresClients())
          .as(asked)
          .isTrue();
    }
    assertThat(flags(pair).files(false)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "--trusted-ca-file=ca.crt, http://192.0.2.1:1, http://192.0.2.1:1",
    "--client-cert-auth, https://192.0.2.1:1 http://0.0.0.0:2, http://0.0.0.0:2",
    "--client-crl-file=crl, http://[::]:1, http://[::]:1",
    "--trusted-ca-file=, http://192.0.2.1:1,",
    "--client-cert-auth, https://192.0.2.1:1,",
    "--client-cert-auth, http://127.0.0.1:1 http://[::1]:2 unix:///run/store,"
  })
  void aUrlWhereAnybodyComesInIsTold(String flags, String urls, String open) {
    StringWriter told = new StringWriter();
    flags(flags, told).tellOfOpen(List.of(urls.split(" ")));
    if (open == null) {
      assertThat(told.toString()).isEmpty();
    } else {
      assertThat(told.toString().lines()).hasSize(1);
      assertThat(told.toString()).startsWith("WARNING --listen-client-urls: " + open + " lets in");
    }
  }

  @Test
  void whatWouldLeaveADoorOpenIsRefused() {
    assertThatThrownBy(() -> flags(pair + "--client-cert-auth").files(true))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("--trusted-ca-file: null is needed for --client-cert-auth");
    assertThatThrownBy(() -> flags(pair + "--client-crl-file=" + ca).files(true))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("--client-crl-file: %s needs --trusted-ca-file".formatted(ca));
    assertThatThrownBy(
            () ->
                flags(pair + "--trusted-ca-file=%s --client-crl-file=%s".formatted(ca, folder))
                    .files(true))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("with its key, CA and list: %s cannot be read".formatted(folder));
    assertThatThrownBy(
            () -> flags("--tls-min-version=TLS1.3 --tls-max-version=TLS1.2").files(false))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("must not be above --tls-max-version");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.tuning.model.InvalidInputException;
import io.fabric8.kubernetes.client.Config;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kubeconfigs that kubectl reads. */
class KubeconfigTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String SERVER = "https://192.0.2.1:6443";
  private static final Map<String, ?> TOKEN = Map.of("token", "t");

  @TempDir private Path folder;

  /** Somebody's editor folded the lines, or Windows did. */
  @Test
  void base64MayBeFolded() throws Exception {
    String folded =
        Base64.getMimeEncoder(64, new byte[] {'\r', '\n'})
            .encodeToString(key().getBytes(StandardCharsets.US_ASCII));
    assertThat(folded).contains("\r\n");
    Config config =
        read(
            Map.of("server", SERVER, "certificate-authority-data", folded),
            Map.of("client-certificate-data", folded, "client-key-data", folded));
    String plain = folded.replace("\r\n", "");
    assertThat(config.getCaCertData()).isEqualTo(plain);
    assertThat(config.getClientCertData()).isEqualTo(plain);
    assertThat(config.getClientKeyData()).isEqualTo(plain);
    assertThat(config.getClientKeyAlgo()).isEqualTo("EC");
  }

  @Test
  void whatIsNoBase64IsNamed() {
    assertThatThrownBy(
            () ->
                read(
                    Map.of("server", SERVER),
                    Map.of("client-certificate-data", "QQ==", "client-key-data", "%key%")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("kubeconfig: 'client-key-data' is not base64: ");
  }

  @Test
  void aKeyThatIsMissingIsNamed() {
    Path none = folder.resolve("none");
    assertThatThrownBy(
            () ->
                read(
                    Map.of("server", SERVER),
                    Map.of("client-certificate", none.toString(), "client-key", none.toString())))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "kubeconfig: '%s' cannot be read: no such file or folder; name another client key"
                .formatted(none));
  }

  /** A plugin gives PEM, as Teleport's and step's do, where a kubeconfig has base64. */
  @Test
  void aPluginMayGiveACertificate() throws Exception {
    String key = key();
    String credential =
        JSON.writeValueAsString(
            Map.of(
                "apiVersion", "client.authentication.k8s.io/v1",
                "kind", "ExecCredential",
                "status", Map.of("clientCertificateData", key, "clientKeyData", key)));
    Path plugin =
        Files.writeString(
            folder.resolve("plugin"), "#!/bin/sh\ncat <<'END'\n" + credential + "\nEND\n");
    Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwx------"));
    Config config =
        read(
            Map.of("server", SERVER),
            Map.of(
                "exec",
                Map.of(
                    "apiVersion", "client.authentication.k8s.io/v1",
                    "command", plugin.toString(),
                    "interactiveMode", "Never")));
    assertThat(config.getClientCertData()).isEqualTo(key);
    assertThat(config.getClientKeyData()).isEqualTo(key);
    assertThat(config.getClientKeyAlgo()).isEqualTo("EC");
  }

  @Test
  @Timeout(60)
  void aProxyIsUsedForAServerWithTls() throws Exception {
    try (ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      CompletableFuture<String> asked = CompletableFuture.supplyAsync(() -> firstLine(proxy));
      Path file =
          kubeconfig(
              Map.of("server", SERVER, "proxy-url", "http://127.0.0.1:" + proxy.getLocalPort()),
              TOKEN);
      try (ApiServer api = ApiServer.connect(file)) {
        refused(api);
      }
      assertThat(asked.get(30, TimeUnit.SECONDS)).isEqualTo("CONNECT 192.0.2.1:6443 HTTP/1.1");
    }
  }

  /** As an answer, or as a connection that cannot be had: this is Java's. */
  private static void refused(ApiServer api) {
    try {
      assertThat(api.get("/version", Map.of()).status()).isEqualTo(403);
    } catch (MeasurementException e) {
      assertThat(e).hasMessageContaining("no answer");
    }
  }

  /** Refuses the client, which would try it again. */
  private static String firstLine(ServerSocket proxy) {
    try (proxy;
        Socket connection = proxy.accept();
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII))) {
      String line = in.readLine();
      connection
          .getOutputStream()
          .write(
              "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      return line;
    } catch (IOException e) {
      return e.toString();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "proxy-url | socks5://me:secret@bastion:1080 | kubeconfig: 'proxy-url: socks5://bastion:1080' must begin with http://",
        "proxy-url | https://proxy:8443              | kubeconfig: 'proxy-url: https://proxy:8443' must begin with http://",
        "proxy-url | http://me:se@cret@proxy:3128     | kubeconfig: 'proxy-url: http://proxy:3128' must be http://HOST:PORT",
        "proxy-url | http://me:secret@proxy:3128      | kubeconfig: 'proxy-url: http://proxy:3128' must have no login",
        "proxy-url | http://                          | kubeconfig: 'proxy-url: http://' must be http://HOST:PORT",
        "proxy-url | http://a b:80                    | kubeconfig: 'proxy-url: http://a b:80' must be http://HOST:PORT",
        "proxy-url | proxy:3128                       | kubeconfig: 'proxy-url: proxy:3128' must begin with http://",
        "tls-server-name | api.example.com           | kubeconfig: 'tls-server-name: api.example.com' must be the host of server, https://192.0.2.1:6443/",
      })
  void anotherWayToTheServerIsRefusedWithTheNextAction(String field, String value, String said) {
    assertThatThrownBy(() -> read(Map.of("server", SERVER, field, value), TOKEN))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith(said)
        .hasMessageContaining("run 'kubectl proxy'")
        .hasMessageNotContaining("secret");
  }

  /** kubectl's port of a proxy without one, and its way past NO_PROXY. */
  @Test
  void aProxyWithoutPortHasKubectlsAndIsForAllHosts() throws Exception {
    Config config = read(Map.of("server", SERVER, "proxy-url", "HTTP://proxy.corp"), TOKEN);
    assertThat(config.getHttpsProxy()).isEqualTo("http://proxy.corp:80");
    assertThat(config.getNoProxy()).isNullOrEmpty();
    assertThat(
            read(Map.of("server", SERVER, "proxy-url", "http://[::1]:3128"), TOKEN).getHttpsProxy())
        .isEqualTo("http://[::1]:3128");
  }

  @Test
  void theNameOfTheServerMayBeItsHost() throws Exception {
    Map<String, ?> brackets =
        Map.of("server", "https://[fd00::A]:6443", "tls-server-name", "fd00::a");
    assertThat(read(brackets, TOKEN).getMasterUrl()).isEqualTo("https://[fd00::A]:6443/");
    assertThat(read(Map.of("server", SERVER, "tls-server-name", "192.0.2.1"), TOKEN).getMasterUrl())
        .isEqualTo(SERVER + "/");
    Map<String, ?> unchecked =
        Map.of("server", SERVER, "tls-server-name", "other", "insecure-skip-tls-verify", true);
    assertThat(read(unchecked, TOKEN).isTrustCerts()).isTrue();
  }

  /** 'kubectl proxy' adds the credentials. */
  @Test
  void aServerWithoutTlsNeedsNoCredentials() throws Exception {
    assertThat(read(Map.of("server", "http://127.0.0.1:8001"), Map.of()).getMasterUrl())
        .isEqualTo("http://127.0.0.1:8001/");
  }

  private Config read(Map<String, ?> cluster, Map<String, ?> user) throws Exception {
    return ApiServer.config(kubeconfig(cluster, user), null);
  }

  private Path kubeconfig(Map<String, ?> cluster, Map<String, ?> user) throws Exception {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        {"apiVersion":"v1","kind":"Config","current-context":"c",
         "clusters":[{"name":"c","cluster":%s}],
         "users":[{"name":"u","user":%s}],
         "contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}]}
        """
            .formatted(JSON.writeValueAsString(cluster), JSON.writeValueAsString(user)));
  }

  private static String key() throws Exception {
    byte[] key = KeyPairGenerator.getInstance("EC").generateKeyPair().getPrivate().getEncoded();
    return "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
        .formatted(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key));
  }
}

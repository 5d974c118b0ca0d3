// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What -f of 'exactl apply' takes beside files. */
class ApplyInputsTest {
  private static final String MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\n";

  @TempDir private Path folder;

  @Test
  void addressesAndFilesAreReadTogether() throws Exception {
    Path file = Files.writeString(folder.resolve("b.yaml"), MAP.formatted("b"));
    byte[] text = (MAP.formatted("a") + "---\nkind: [\n").getBytes(StandardCharsets.UTF_8);
    String digest =
        "sha256:" + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    byte[] manifest =
        "{\"layers\":[{\"mediaType\":\"application/yaml\",\"digest\":\"%s\",\"size\":%d}]}"
            .formatted(digest, text.length)
            .getBytes(StandardCharsets.UTF_8);
    HttpServer server =
        serve(Map.of("/v2/shop/manifests/v1", manifest, "/v2/shop/blobs/" + digest, text));
    try {
      String address = "oci+http://127.0.0.1:%d/shop".formatted(server.getAddress().getPort());
      var reading =
          ApplyInputs.read(
              List.of(address + ":v1", file.toString(), address + ":none"), options(), System.in);
      assertThat(reading.manifests()).extracting(one -> one.key().name()).containsExactly("b", "a");
      assertThat(reading.problems()).hasSize(2);
      assertThat(reading.problems().getFirst().toString())
          .contains(address + ":none", "does not exist");
      assertThat(reading.problems().getLast().toString())
          .contains(address + ":v1//layer-0.yaml:", "not valid YAML");
      assertThat(reading.isWhole()).isFalse();
      assertThat(run("apply", "-f", address + ":none")).startsWith("1 error: oci+http://");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void badAddressesAreNamed() {
    assertThat(run("apply", "-f", "ssh://host/x")).startsWith("2 ").contains("git+https://");
    assertThat(run("apply", "-f", "oci://host/x:1?ref=a")).startsWith("2 ").contains("has no ref");
    assertThat(run("apply", "-f", "git+https://host/x?branch=a"))
        .startsWith("2 ")
        .contains("ref= and path=");
    assertThat(run("apply", "-f", "-", "-f", "-")).startsWith("2 ").contains("named 2 times");
    assertThat(run("apply", "-f", "git+https://me:secret@host/x"))
        .startsWith("2 ")
        .contains("must not have a login")
        .doesNotContain("secret");
  }

  private ApplyFetchOptions options() throws IOException {
    ApplyFetchOptions options = new ApplyFetchOptions();
    Path none = Files.writeString(folder.resolve("config.json"), "{}");
    CommandLine line =
        new CommandLine(
            CommandLine.Model.CommandSpec.create()
                .addMixin("x", CommandLine.Model.CommandSpec.forAnnotatedObject(options)));
    line.parseArgs("--registry-config", none.toString());
    return options;
  }

  private static HttpServer serve(Map<String, byte[]> pages) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] page = pages.get(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(page == null ? 404 : 200, page == null ? -1 : page.length);
          try (var out = exchange.getResponseBody()) {
            out.write(page == null ? new byte[0] : page);
          }
        });
    server.start();
    return server;
  }

  private static String run(String... words) {
    StringWriter err = new StringWriter();
    int code = Exactl.run(new PrintWriter(new StringWriter()), new PrintWriter(err, true), words);
    return code + " " + err.toString().replaceAll("\\s+", " ");
  }
}

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
              List.of(address + ":v1", file.toString(), address + ":none"),
              options(),
              System.in,
              new ApplyInputs.Known());
      assertThat(reading.manifests()).extracting(one -> one.key().name()).containsExactly("b", "a");
      assertThat(reading.problems()).hasSize(2);
      assertThat(reading.problems().getFirst().toString())
          .contains(address + ":none", "does not exist");
      assertThat(reading.problems().getLast().toString())
          .contains(address + ":v1//layer-0.yaml:", "not valid YAML");
      assertThat(reading.isWhole()).isFalse();
      assertThat(run("apply", "-f", address + ":none")).startsWith("1 error: oci+http://");
      ApplyInputs.Known known = new ApplyInputs.Known();
      var there = ApplyInputs.read(List.of(address + ":v1"), options(), System.in, known);
      server.stop(0);
      var away = ApplyInputs.read(List.of(address + ":v1"), options(), System.in, known);
      assertThat(away.manifests()).as("what it had").isEqualTo(there.manifests());
      assertThat(away.problems()).hasSize(there.problems().size() + 1);
    } finally {
      server.stop(0);
    }
  }

  /** Both have the objects of the file that they share, under other names. */
  @Test
  void twoOverlaysOfOnePlaceKeepTheirObjects() throws Exception {
    Map<String, String> files = new TreeMap<>();
    files.put("base/a.yaml", MAP.formatted("a"));
    files.put("base/kustomization.yaml", "resources: [a.yaml]");
    for (String level : List.of("dev", "prod")) {
      files.put(
          level + "/kustomization.yaml",
          "resources: [../base]\nnamePrefix: %s-\n".formatted(level));
    }
    Map<String, byte[]> pages = new HashMap<>();
    List<String> layers = new ArrayList<>();
    for (Map.Entry<String, String> one : files.entrySet()) {
      byte[] text = one.getValue().getBytes(StandardCharsets.UTF_8);
      String digest =
          "sha256:" + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
      pages.put("/v2/shop/blobs/" + digest, text);
      layers.add(
          "{\"mediaType\":\"application/yaml\",\"digest\":\"%s\",\"annotations\":{\"org.opencontainers.image.title\":\"%s\"}}"
              .formatted(digest, one.getKey()));
    }
    String manifest = "{\"layers\":[%s]}".formatted(String.join(",", layers));
    pages.put("/v2/shop/manifests/v1", manifest.getBytes(StandardCharsets.UTF_8));
    HttpServer server = serve(pages);
    try {
      String address = "oci+http://127.0.0.1:%d/shop:v1".formatted(server.getAddress().getPort());
      var reading =
          ApplyInputs.read(
              List.of(address + "?path=dev", address + "?path=prod"),
              options(),
              System.in,
              new ApplyInputs.Known());
      assertThat(reading.problems()).isEmpty();
      assertThat(reading.manifests())
          .extracting(one -> one.key().name())
          .containsExactlyInAnyOrder("dev-a", "prod-a");
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

  @Test
  void optionsThatSayNothingTogetherAreRefused() throws Exception {
    String file = Files.writeString(folder.resolve("a.yaml"), MAP.formatted("a")).toString();
    assertThat(run("apply", "-f", file, "--watch", "--diff"))
        .startsWith("2 ")
        .contains("watch", "leave out one of the two");
    assertThat(run("apply", "-f", file, "--watch", "-o", "json")).startsWith("2 ");
    assertThat(run("apply", "-f", file, "--watch", "--timeout", "9")).startsWith("2 ");
    assertThat(run("apply", "-f", "-", "--watch")).startsWith("2 ").contains("standard input");
    assertThat(run("apply", "-f", file, "--interval", "9"))
        .startsWith("2 ")
        .contains("add --watch");
    assertThat(run("apply", "-f", file, "--watch", "--interval", "0"))
        .startsWith("2 ")
        .contains("1 to 86400 seconds");
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

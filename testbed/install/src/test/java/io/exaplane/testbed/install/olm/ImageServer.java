// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install.olm;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;

/**
 * A registry with images of one layer, each of which is a folder: what {@code docker build} makes
 * of the two Dockerfiles of olm-bundle, without the programs of the base. Thread-safe.
 */
final class ImageServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PATHS = "/v2/";
  private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
  private static final String CONFIG = "application/vnd.oci.image.config.v1+json";
  private static final String LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";

  private final HttpsServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Path folder;
  private final Map<String, byte[]> blobs = new ConcurrentHashMap<>();

  /** Digests of manifests by {@code repository:tag}. */
  private final Map<String, String> tags = new ConcurrentHashMap<>();

  /**
   * Begins to serve.
   *
   * @param folder takes layers
   */
  ImageServer(TlsPair pair, Path folder) throws IOException {
    this.folder = folder;
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(pair.context()));
    server.setExecutor(threads);
    server.createContext(PATHS, this::answer);
    server.start();
  }

  /** Host and port. */
  String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /**
   * Adds an image.
   *
   * @param image its name without the registry, as {@code exaplane/bundle:0.1.0}
   * @param content folder whose content is the image's
   * @param under where the content is in the image, as {@code configs}; "" for the root
   * @param labels of the image
   */
  void add(String image, Path content, String under, Map<String, String> labels) throws Exception {
    Path layer = Files.createTempFile(folder, "layer", ".tar");
    Process tar =
        new ProcessBuilder(
                "tar",
                "--create",
                "--file=" + layer,
                "--directory=" + content,
                "--transform=s,^[.],." + (under.isEmpty() ? "" : "/" + under) + ",",
                ".")
            .inheritIO()
            .start();
    if (tar.waitFor() != 0) {
      throw new AssertionError("tar ended with " + tar.exitValue() + " in " + content);
    }
    byte[] bytes = Files.readAllBytes(layer);
    byte[] packed = gzip(bytes);
    byte[] config =
        json(
            Map.of(
                "architecture",
                "amd64",
                "os",
                "linux",
                "config",
                Map.of("Labels", labels),
                "rootfs",
                Map.of("type", "layers", "diff_ids", List.of(digest(bytes)))));
    byte[] manifest =
        json(
            Map.of(
                "schemaVersion",
                2,
                "mediaType",
                MANIFEST,
                "config",
                keep(CONFIG, config),
                "layers",
                List.of(keep(LAYER, packed))));
    keep(MANIFEST, manifest);
    tags.put(image, digest(manifest));
  }

  /** Serves a blob, and describes it. */
  private Map<String, Object> keep(String type, byte[] content) throws NoSuchAlgorithmException {
    String digest = digest(content);
    blobs.put(digest, content);
    return Map.of("mediaType", type, "digest", digest, "size", content.length);
  }

  private static byte[] json(Map<String, Object> value) throws IOException {
    return JSON.writeValueAsString(value).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(content);
    }
    return packed.toByteArray();
  }

  private static String digest(byte[] content) throws NoSuchAlgorithmException {
    byte[] sum = MessageDigest.getInstance("SHA-256").digest(content);
    return "sha256:" + HexFormat.of().formatHex(sum);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      List<String> words =
          List.of(exchange.getRequestURI().getPath().substring(PATHS.length()).split("/"));
      if (words.size() < 3) {
        exchange.sendResponseHeaders(200, -1);
        return;
      }
      String repository = String.join("/", words.subList(0, words.size() - 2));
      String reference = words.getLast();
      String digest = tags.getOrDefault(repository + ":" + reference, reference);
      byte[] content = blobs.get(digest);
      if (content == null) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      boolean isManifest = words.get(words.size() - 2).equals("manifests");
      var headers = exchange.getResponseHeaders();
      headers.set("Content-Type", isManifest ? MANIFEST : "application/octet-stream");
      headers.set("Docker-Content-Digest", digest);
      boolean isHead = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(200, isHead ? -1 : content.length);
      if (!isHead) {
        exchange.getResponseBody().write(content);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.transport.PacketLineOut;
import org.eclipse.jgit.transport.RefAdvertiser.PacketLineOutRefAdvertiser;
import org.eclipse.jgit.transport.UploadPack;

/** A registry and a Git server on one port of this machine. Thread-safe, but for commits. */
final class Places implements AutoCloseable {
  private static final String REPOSITORY = "/shop.git";

  /** Requests so far, as {@code HEAD /v2/shop/manifests/v1}. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  /** Whether each request is answered with 503. */
  volatile boolean isAway;

  private final Map<String, byte[]> contents = new ConcurrentHashMap<>();
  private final Path folder;
  private final Git git;
  private final HttpServer server;

  /** With the work tree of an empty repository. */
  Places(Path folder) throws Exception {
    this.folder = folder;
    git = Git.init().setDirectory(folder.toFile()).setInitialBranch("main").call();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v2/", this::registry);
    server.createContext(REPOSITORY, this::repository);
    server.start();
  }

  String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  String url() {
    return "http://" + host() + REPOSITORY;
  }

  /** An artifact of one file, as 'oras push' publishes it. */
  void artifact(String tag, String text) {
    byte[] file = text.getBytes(StandardCharsets.UTF_8);
    byte[] manifest =
        "{\"schemaVersion\":2,\"layers\":[{\"mediaType\":\"application/yaml\",\"digest\":\"%s\",\"annotations\":{\"org.opencontainers.image.title\":\"objects.yaml\"}}]}"
            .formatted(digest(file))
            .getBytes(StandardCharsets.UTF_8);
    contents.put(digest(file), file);
    contents.put(tag, manifest);
  }

  /** Writes files, commits them, and says what the commit is called. */
  String commit(Map<String, String> files) throws Exception {
    for (Map.Entry<String, String> one : files.entrySet()) {
      Path file = folder.resolve(one.getKey());
      Files.createDirectories(file.getParent());
      Files.writeString(file, one.getValue());
    }
    git.add().addFilepattern(".").call();
    return git.commit()
        .setMessage("a change")
        .setAuthor("test", "test@example.com")
        .setCommitter("test", "test@example.com")
        .setSign(false)
        .call()
        .getName();
  }

  static String digest(byte[] bytes) {
    try {
      return "sha256:"
          + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private void registry(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    asked.add(exchange.getRequestMethod() + " " + path);
    byte[] found = contents.get(path.substring(path.lastIndexOf('/') + 1));
    if (isAway || found == null) {
      exchange.sendResponseHeaders(isAway ? 503 : 404, -1);
    } else if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().add("Docker-Content-Digest", digest(found));
      exchange.sendResponseHeaders(200, -1);
    } else {
      exchange.sendResponseHeaders(200, found.length);
      exchange.getResponseBody().write(found);
    }
    exchange.close();
  }

  /** Git's smart protocol, by JGit's own upload-pack. */
  private void repository(HttpExchange exchange) throws IOException {
    asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath());
    if (isAway) {
      exchange.sendResponseHeaders(503, -1);
      exchange.close();
      return;
    }
    UploadPack upload = new UploadPack(git.getRepository());
    upload.setBiDirectionalPipe(false);
    String version = exchange.getRequestHeaders().getFirst("Git-Protocol");
    if (version != null) {
      upload.setExtraParameters(List.of(version.split(":")));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    boolean isNames = exchange.getRequestURI().getPath().endsWith("/info/refs");
    if (isNames) {
      PacketLineOut lines = new PacketLineOut(out);
      if (version == null || !version.contains("version=2")) {
        lines.writeString("# service=git-upload-pack\n");
        lines.end();
      }
      upload.sendAdvertisedRefs(new PacketLineOutRefAdvertiser(lines), "git-upload-pack");
    } else {
      boolean isPacked = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
      InputStream in = exchange.getRequestBody();
      upload.upload(isPacked ? new GZIPInputStream(in) : in, out, null);
    }
    exchange
        .getResponseHeaders()
        .add(
            "Content-Type",
            "application/x-git-upload-pack-" + (isNames ? "advertisement" : "result"));
    exchange.sendResponseHeaders(200, out.size());
    exchange.getResponseBody().write(out.toByteArray());
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    git.close();
  }
}

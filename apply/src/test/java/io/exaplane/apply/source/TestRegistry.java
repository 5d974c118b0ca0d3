// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;

/** A registry in memory: manifests, blobs, tokens, and redirects of blobs to another host. */
final class TestRegistry implements AutoCloseable {
  static final String FLUX = "application/vnd.cncf.flux.content.v1.tar+gzip";
  private static final String TOKEN = "a-token";

  final List<String> requests = new CopyOnWriteArrayList<>();
  private final Map<String, byte[]> manifests = new ConcurrentHashMap<>();
  private final Map<String, byte[]> blobs = new ConcurrentHashMap<>();
  private final HttpServer server;
  private final HttpServer elsewhere;
  volatile String login = "";
  volatile boolean redirects;
  volatile String tokenEnd = "";
  volatile boolean saysDigests = true;
  volatile CountDownLatch stalls = new CountDownLatch(0);

  TestRegistry() throws IOException {
    this(null);
  }

  /** With TLS, if there is a context for that. */
  TestRegistry(SSLContext tls) throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    if (tls == null) {
      server = HttpServer.create(any, 0);
    } else {
      HttpsServer secure = HttpsServer.create(any, 0);
      secure.setHttpsConfigurator(new HttpsConfigurator(tls));
      server = secure;
    }
    elsewhere = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    elsewhere.createContext("/", this::answerElsewhere);
    server.start();
    elsewhere.start();
  }

  String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  String blob(byte[] content) {
    String digest = Digest.of(content);
    blobs.put(digest, content);
    return digest;
  }

  /** A blob whose bytes are others than its digest says. */
  void spoil(String digest, byte[] content) {
    blobs.put(digest, content);
  }

  /** A manifest of layers, each as JSON; its digest. */
  String manifest(String tag, String... layers) {
    byte[] bytes =
        "{\"schemaVersion\":2,\"mediaType\":\"application/vnd.oci.image.manifest.v1+json\",\"layers\":[%s]}"
            .formatted(String.join(",", layers))
            .getBytes(StandardCharsets.UTF_8);
    manifests.put(tag, bytes);
    manifests.put(Digest.of(bytes), bytes);
    return Digest.of(bytes);
  }

  void index(String tag) {
    manifests.put(tag, "{\"manifests\":[]}".getBytes(StandardCharsets.UTF_8));
  }

  String layer(String type, byte[] content, String annotations) {
    return "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d,\"annotations\":{%s}}"
        .formatted(type, blob(content), content.length, annotations);
  }

  String flux(Map<String, String> files) throws IOException {
    return layer(FLUX, gzip(tar(files)), "");
  }

  static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }

  static byte[] tar(Map<String, String> files) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new HashMap<>(files).forEach((name, text) -> out.writeBytes(member(name, '0', text)));
    out.writeBytes(new byte[1024]);
    return out.toByteArray();
  }

  /** One member of an archive, with its header and padding. */
  static byte[] member(String name, char type, String text) {
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    byte[] all = new byte[512 + (content.length + 511) / 512 * 512];
    put(all, 0, name);
    put(all, 100, "0000644\0");
    put(all, 124, "%011o".formatted(content.length));
    put(all, 148, "        ");
    all[156] = (byte) type;
    put(all, 257, "ustar\00000");
    int sum = 0;
    for (int at = 0; at < 512; at++) {
      sum += all[at] & 0xff;
    }
    put(all, 148, "%06o\0 ".formatted(sum));
    System.arraycopy(content, 0, all, 512, content.length);
    return all;
  }

  private static void put(byte[] into, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, into, at, bytes.length);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    requests.add((isHead ? "HEAD " : "") + path + (authorization == null ? "" : " with a login"));
    if (path.equals("/token")) {
      String basic =
          "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
      boolean isKnown = basic.equals(authorization);
      send(
          exchange,
          isKnown ? 200 : 401,
          ("{\"token\":\"%s\"}".formatted(TOKEN) + tokenEnd).getBytes(StandardCharsets.UTF_8));
      return;
    }
    if (!login.isEmpty() && !("Bearer " + TOKEN).equals(authorization)) {
      exchange
          .getResponseHeaders()
          .add(
              "WWW-Authenticate",
              "Bearer realm=\"http://%s/token\",service=\"test\",scope=\"repository:shop:pull\""
                  .formatted(host()));
      send(exchange, 401, new byte[0]);
      return;
    }
    String last = path.substring(path.lastIndexOf('/') + 1);
    if (stalls.getCount() > 0) {
      exchange.sendResponseHeaders(200, 100);
      exchange.getResponseBody().write('{');
      exchange.getResponseBody().flush();
      try {
        stalls.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      exchange.close();
      return;
    }
    if (path.contains("/manifests/")) {
      byte[] found = manifests.get(last);
      if (isHead) {
        if (found != null && saysDigests) {
          exchange.getResponseHeaders().add("Docker-Content-Digest", Digest.of(found));
        }
        exchange.sendResponseHeaders(found == null ? 404 : 200, -1);
        exchange.close();
        return;
      }
      send(exchange, found == null ? 404 : 200, found == null ? new byte[0] : found);
    } else if (redirects) {
      exchange
          .getResponseHeaders()
          .add(
              "Location",
              "http://127.0.0.1:%d/%s".formatted(elsewhere.getAddress().getPort(), last));
      send(exchange, 307, new byte[0]);
    } else {
      byte[] found = blobs.get(last);
      send(exchange, found == null ? 404 : 200, found == null ? new byte[0] : found);
    }
  }

  private void answerElsewhere(HttpExchange exchange) throws IOException {
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    requests.add("elsewhere" + (authorization == null ? "" : " with a login"));
    send(exchange, 200, blobs.get(exchange.getRequestURI().getPath().substring(1)));
  }

  private void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    } catch (IOException e) {
      // The client had enough.
      requests.add("cut off");
    }
  }

  List<String> take() {
    List<String> taken = new ArrayList<>(requests);
    requests.clear();
    return taken;
  }

  @Override
  public void close() {
    server.stop(0);
    elsewhere.stop(0);
  }
}

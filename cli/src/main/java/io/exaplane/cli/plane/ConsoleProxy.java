// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Brings a browser of this machine to the console, with the token of the kubeconfig. Other users
 * and other pages of this machine can reach the port, so a browser needs the key of the printed
 * address: the first request puts the key into a cookie. Cookies do not know ports, so whichever
 * server of 127.0.0.1 the browser visits gets the key, too. Only GET passes. Thread-safe.
 */
public final class ConsoleProxy implements AutoCloseable {
  private static final String COOKIE = "exaplane-console-key";
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Headers of an answer that a browser must get. */
  private static final Set<String> PASSED =
      Set.of(
          "content-type",
          "cache-control",
          "content-security-policy",
          "x-content-type-options",
          "referrer-policy",
          "location",
          "retry-after");

  private final URI console;
  private final String token;
  private final String key;
  private final HttpServer server;
  private final HttpClient client = HttpClient.newBuilder().sslContext(ofTunnel()).build();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * Listens.
   *
   * @param console the end of the tunnel
   * @param port of 127.0.0.1; 0 for any
   * @throws IOException if the port is taken
   */
  public ConsoleProxy(URI console, String token, int port) throws IOException {
    this.console = console;
    this.token = token;
    byte[] random = new byte[24];
    RANDOM.nextBytes(random);
    key = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** The address for a browser, with the key. */
  public URI address() {
    return URI.create("http://127.0.0.1:%d/?key=%s".formatted(port(), key));
  }

  private int port() {
    return server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String host = exchange.getRequestHeaders().getFirst("Host");
      URI uri = exchange.getRequestURI();
      if (host == null || !List.of("127.0.0.1:" + port(), "localhost:" + port()).contains(host)) {
        refuse(exchange, 403, "Open the address that the command printed.");
      } else if (!exchange.getRequestMethod().equals("GET")) {
        refuse(exchange, 405, "Your kubeconfig signs you in and out; end the command instead.");
      } else if (uri.getQuery() != null && isKey(uri.getQuery().replaceFirst("^key=", ""))) {
        exchange
            .getResponseHeaders()
            .add(
                "Set-Cookie",
                String.join("; ", COOKIE + "=" + key, "Path=/", "HttpOnly", "SameSite=Strict"));
        // Not a redirect: a browser sends no strict cookie to one that another page began.
        exchange.getResponseHeaders().add("Refresh", "0; url=/");
        refuse(exchange, 200, "");
      } else if (!hasKey(exchange)) {
        refuse(exchange, 403, "Open the address that the command printed.");
      } else {
        pass(exchange, uri);
      }
    }
  }

  private boolean isKey(String given) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), key.getBytes(StandardCharsets.UTF_8));
  }

  private boolean hasKey(HttpExchange exchange) {
    return exchange.getRequestHeaders().getOrDefault("Cookie", List.of()).stream()
        .flatMap(cookies -> Stream.of(cookies.split("; *")))
        .filter(cookie -> cookie.startsWith(COOKIE + "="))
        .anyMatch(cookie -> isKey(cookie.substring(COOKIE.length() + 1)));
  }

  private static void refuse(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "text/plain; charset=utf-8");
    exchange.getResponseHeaders().add("Cache-Control", "no-store");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  /** A path that begins with two slashes would name another host, which would get the token. */
  private static boolean isOwn(String path) {
    return path != null && path.startsWith("/") && !path.startsWith("//");
  }

  /** The console's authority stays, whatever the path is. */
  private URI at(String path) {
    URI address = URI.create(console.getScheme() + "://" + console.getRawAuthority() + path);
    if (!console.getHost().equals(address.getHost()) || console.getPort() != address.getPort()) {
      throw new IllegalStateException("a path after a slash names no host");
    }
    return address;
  }

  private void pass(HttpExchange exchange, URI uri) throws IOException {
    if (!isOwn(uri.getRawPath())) {
      refuse(
          exchange,
          400,
          "The path must begin with one slash. Open the address that the command printed.");
      return;
    }
    HttpRequest request =
        HttpRequest.newBuilder(at(uri.getRawPath()))
            .header("Authorization", "Bearer " + token)
            .build();
    HttpResponse<InputStream> response;
    try {
      response = client.send(request, BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    } catch (IOException e) {
      refuse(
          exchange,
          502,
          "The console does not answer (%s). If this persists for a minute, end the command and start it again."
              .formatted(e.getMessage()));
      return;
    }
    if (response.statusCode() == 401) {
      response.body().close();
      refuse(
          exchange,
          401,
          "The management cluster no longer accepts your token. End the command and start it"
              + " again.");
      return;
    }
    response
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (PASSED.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                values.forEach(value -> exchange.getResponseHeaders().add(name, value));
              }
            });
    exchange.sendResponseHeaders(response.statusCode(), 0);
    copy(response.body(), exchange.getResponseBody());
  }

  /** Each event is there at once, so nothing waits in a buffer. */
  private static void copy(InputStream from, OutputStream to) throws IOException {
    byte[] buffer = new byte[16 << 10];
    try (from) {
      for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
        to.write(buffer, 0, read);
        to.flush();
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    client.shutdownNow();
    threads.shutdownNow();
  }

  /** The API server and the kubelet vouch for the other end of a tunnel, and no name fits it. */
  private static SSLContext ofTunnel() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new EndOfTunnel()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("each Java has TLS", e);
    }
  }

  private static final class EndOfTunnel extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}

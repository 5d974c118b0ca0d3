// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConsoleProxyTest {
  private final HttpClient browser = HttpClient.newHttpClient();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final CountDownLatch more = new CountDownLatch(1);
  private volatile int status = 200;
  private HttpServer console;
  private ConsoleProxy proxy;

  @BeforeEach
  void start() throws IOException {
    console = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    console.setExecutor(task -> Thread.ofVirtual().start(task));
    console.createContext(
        "/",
        exchange -> {
          asked.add(
              exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Authorization")
                  + " "
                  + exchange.getRequestHeaders().getFirst("Cookie"));
          exchange.getResponseHeaders().add("Content-Security-Policy", "default-src 'none'");
          exchange.getResponseHeaders().add("Set-Cookie", "a=b");
          exchange.sendResponseHeaders(status, 0);
          try (exchange) {
            exchange.getResponseBody().write("first".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            if (exchange.getRequestURI().getPath().endsWith("/events")) {
              more.await();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    console.start();
    proxy =
        new ConsoleProxy(
            URI.create("http://127.0.0.1:" + console.getAddress().getPort()), "my-token", 0);
  }

  @AfterEach
  void stop() {
    more.countDown();
    proxy.close();
    console.stop(0);
    browser.shutdownNow();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(proxy.address().resolve(path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return browser.send(request.build(), BodyHandlers.ofString());
  }

  private String cookie() throws Exception {
    HttpResponse<String> first = send(HttpRequest.newBuilder(proxy.address()));
    assertThat(first.statusCode()).isEqualTo(200);
    String cookie = first.headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(cookie).contains("HttpOnly", "SameSite=Strict");
    return cookie.replaceAll(";.*", "");
  }

  @Test
  void theTokenGoesWithTheKeyOnly() throws Exception {
    for (String path : List.of("/", "/events", "/?key=wrong", "/?key=")) {
      assertThat(send(request(path)).statusCode()).as(path).isEqualTo(403);
    }
    assertThat(send(request("/").header("Cookie", "exaplane-console-key=x")).statusCode())
        .isEqualTo(403);
    assertThat(asked).isEmpty();
    HttpResponse<String> page = send(request("/a/b").header("Cookie", cookie()));
    assertThat(page.body()).isEqualTo("first");
    assertThat(page.headers().firstValue("Content-Security-Policy")).isPresent();
    assertThat(page.headers().firstValue("Set-Cookie")).isEmpty();
    assertThat(asked).containsExactly("/a/b Bearer my-token null");
  }

  @Test
  void nothingIsSent() throws Exception {
    HttpRequest.Builder post =
        request("/logout").header("Cookie", cookie()).POST(HttpRequest.BodyPublishers.noBody());
    assertThat(send(post).statusCode()).isEqualTo(405);
    assertThat(asked).isEmpty();
  }

  /** A page of elsewhere whose name somebody lets lead to this machine. */
  @Test
  void anotherNameOfThisMachineIsRefused() throws Exception {
    String cookie = cookie();
    assertThat(answer("/", "evil.example:" + proxy.address().getPort(), cookie))
        .startsWith("HTTP/1.1 403");
    assertThat(asked).isEmpty();
  }

  /** The page of another port of this machine can ask with the browser's cookie. */
  @Test
  void aPathNamesNoOtherHost() throws Exception {
    String cookie = cookie();
    String other = "localhost:" + console.getAddress().getPort();
    String own = "127.0.0.1:" + proxy.address().getPort();
    for (String target :
        List.of("////" + other + "/a", "//////" + other + "/a", "http://" + own + "//" + other)) {
      assertThat(answer(target, own, cookie)).as(target).startsWith("HTTP/1.1 400");
    }
    assertThat(asked).isEmpty();
    assertThat(answer("/a%2Fb//" + other, own, cookie)).startsWith("HTTP/1.1 200");
    assertThat(asked).containsExactly("/a%2Fb//" + other + " Bearer my-token null");
  }

  private String answer(String target, String host, String cookie) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.address().getPort())) {
      socket
          .getOutputStream()
          .write(
              "GET %s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nConnection: close\r\n\r\n"
                  .formatted(target, host, cookie)
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void anEventIsThereAtOnce() throws Exception {
    HttpResponse<InputStream> events =
        browser.send(
            request("/events").header("Cookie", cookie()).build(), BodyHandlers.ofInputStream());
    try (InputStream in = events.body()) {
      assertThat(new String(in.readNBytes(5), StandardCharsets.UTF_8)).isEqualTo("first");
    }
  }

  @Test
  void aTokenThatEndedIsTold() throws Exception {
    status = 401;
    HttpResponse<String> page = send(request("/").header("Cookie", cookie()));
    assertThat(page.statusCode()).isEqualTo(401);
    assertThat(page.body()).contains("End the command and start it again");
  }
}

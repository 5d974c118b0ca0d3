// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/** The pages by which stores move a Kind, for one move. Thread-safe. */
final class StorePages implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final long BUSY_MS = 50;
  private static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;

  private final HttpClient http;
  private final String id;
  private final String prefix;

  StorePages(SSLContext mover, String id, String prefix) {
    this.http =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(mover).build();
    this.id = id;
    this.prefix = prefix;
  }

  /** What a store says about itself and its moves. */
  JsonNode states(Store store) throws IOException, InterruptedException {
    return JSON.readTree(ask(store, "/moves", null).body());
  }

  /** The state of the prefix in a store; "" if a move concerns it no more. */
  String state(Store store) throws IOException, InterruptedException {
    for (JsonNode move : states(store).path("moves")) {
      if (move.path("prefix").asText().equals(prefix)) {
        return move.path("state").asText();
      }
    }
    return "";
  }

  /** A change of state, and what the store answers. */
  JsonNode change(Store store, String what, String more) throws IOException, InterruptedException {
    String body = ask(store, "/moves/" + what + move() + more, new byte[0]).bodyText();
    return body.isBlank() ? JSON.createObjectNode() : JSON.readTree(body);
  }

  /** Records for a store that the Kind arrives at. */
  void take(Store store, byte[] records) throws IOException, InterruptedException {
    if (records.length > 0) {
      ask(store, "/moves/take" + move(), records);
    }
  }

  /**
   * Records of a store.
   *
   * @param what page, changes or sum
   * @param more parameters
   */
  Answer read(Store store, String what, String more) throws IOException, InterruptedException {
    return ask(store, "/moves/" + what + "?" + prefix() + more, null);
  }

  private String prefix() {
    return "prefix=" + URLEncoder.encode(prefix, StandardCharsets.UTF_8);
  }

  /** Of a request that needs the move's name, too. */
  private String move() {
    return "?id=" + id + "&" + prefix();
  }

  /** A POST if there is a body. A store that is busy is asked again. */
  private Answer ask(Store store, String path, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(store.page(path)).timeout(DEADLINE);
    if (body != null) {
      request.POST(BodyPublishers.ofByteArray(body));
    }
    while (true) {
      HttpResponse<byte[]> answer = http.send(request.build(), BodyHandlers.ofByteArray());
      int status = answer.statusCode();
      if (status / 100 == 2) {
        return new Answer(answer);
      }
      if (status != TOO_MANY && status != UNAVAILABLE) {
        throw new RefusedException(status, store + path + ": " + new Answer(answer).bodyText());
      }
      Thread.sleep(BUSY_MS);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }

  /** An answer with 200. */
  record Answer(HttpResponse<byte[]> response) {
    byte[] body() {
      return response.body();
    }

    String bodyText() {
      return new String(body(), StandardCharsets.UTF_8);
    }

    JsonNode json() throws IOException {
      return JSON.readTree(body());
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    long revision() {
      return Long.parseLong(header("x-exaplane-revision"));
    }
  }

  /** A store that refuses. */
  static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;
    final int status;

    RefusedException(int status, String message) {
      super(status + " " + message);
      this.status = status;
    }
  }
}

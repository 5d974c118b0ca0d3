// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** Moves a Kind from one store to another by their pages, as the operator does. */
final class MovedKind implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final byte[] NOTHING = {};

  private final String prefix;
  private final int from;
  private final int to;
  private final HttpClient client;
  private long changesFrom;
  private long pages;
  private long bytes;

  /**
   * @param prefix URL-encoded
   * @param from port of the store that has the Kind
   */
  MovedKind(String prefix, int from, int to, SSLContext tls) {
    this.prefix = prefix;
    this.from = from;
    this.to = to;
    this.client =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(tls).build();
  }

  private HttpResponse<byte[]> ask(int port, String method, String page, byte[] body)
      throws Exception {
    String query = page.contains("?") ? "&prefix=" : "?prefix=";
    String uri =
        "https://127.0.0.1:%d/moves%s"
            .formatted(port, page.isEmpty() ? "" : "/" + page + query + prefix);
    HttpResponse<byte[]> response =
        client.send(
            HttpRequest.newBuilder(URI.create(uri))
                .timeout(PATIENCE)
                .method(method, BodyPublishers.ofByteArray(body))
                .build(),
            BodyHandlers.ofByteArray());
    assertThat(response.statusCode())
        .as("%s %s: %s", method, uri, response.statusCode() == 200 ? "" : text(response))
        .isEqualTo(200);
    return response;
  }

  private static String text(HttpResponse<byte[]> response) {
    return new String(response.body(), UTF_8);
  }

  private static String header(HttpResponse<byte[]> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  private static String found(String pattern, String text) {
    Matcher found = Pattern.compile(pattern).matcher(text);
    assertThat(found.find()).as(text).isTrue();
    return found.group(1);
  }

  private String get(int port, String page) throws Exception {
    return text(ask(port, "GET", page, NOTHING));
  }

  private String post(int port, String page) throws Exception {
    String id = page.contains("?") ? "&id=m1" : "?id=m1";
    return text(ask(port, "POST", page + id, NOTHING));
  }

  /** Where moves stand. */
  String moves(int port) throws Exception {
    return get(port, "");
  }

  /** Takes all keys over, and all changes so far. */
  void copy() throws Exception {
    changesFrom = Long.parseLong(found("\"revision\":(\\d+)", moves(from)));
    post(to, "arrive?above=" + changesFrom);
    String next = "";
    do {
      HttpResponse<byte[]> page =
          ask(from, "GET", next.isEmpty() ? "page" : "page?after=" + next, NOTHING);
      take(page.body());
      next = header(page, "x-exaplane-next");
      changes(0);
    } while (!next.isEmpty());
  }

  /** Takes over what changed since the last time. */
  void changes(long waitMs) throws Exception {
    byte[] body;
    do {
      HttpResponse<byte[]> changes =
          ask(from, "GET", "changes?after=%d&waitMs=%d".formatted(changesFrom, waitMs), NOTHING);
      changesFrom = Long.parseLong(header(changes, "x-exaplane-revision"));
      body = changes.body();
      take(body);
    } while (body.length > 1 << 16);
  }

  private void take(byte[] records) throws Exception {
    if (records.length > 0) {
      pages++;
      bytes += records.length;
      ask(to, "POST", "take?id=m1", records);
    }
  }

  /** Gives the Kind to the other store; everything was copied before. */
  void switchOver() throws Exception {
    long frozenAt = Long.parseLong(found("\"revision\":(\\d+)", post(from, "freeze")));
    while (changesFrom < frozenAt) {
      changes(0);
    }
    String sum = get(from, "sum");
    String left = post(from, "leave?revision=" + frozenAt);
    post(
        to,
        "finish?keys=%s&sha256=%s&above=%s"
            .formatted(
                found("\"keys\":(\\d+)", sum),
                found("\"sha256\":\"(\\w+)\"", sum),
                found("\"revision\":(\\d+)", left)));
  }

  /** Deletes what the store still has that was left. */
  void clear() throws Exception {
    post(from, "clear?finished=m1");
  }

  long pages() {
    return pages;
  }

  long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    client.close();
  }
}

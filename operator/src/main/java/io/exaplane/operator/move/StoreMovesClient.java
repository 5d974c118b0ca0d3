// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.api.v1alpha1.StoreDurability;
import io.exaplane.operator.hosted.PeerTls;
import io.exaplane.operator.net.IpAddresses;
import io.exaplane.operator.probe.BoundedGet;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;

/**
 * The one HTTP client that asks stores for their pages /moves. It shows each store a certificate of
 * the store's own CA, and trusts only a certificate of that CA for the address. Thread-safe.
 */
final class StoreMovesClient implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(3);
  private static final Duration SHORT = Duration.ofSeconds(5);
  private static final Duration PAGE = Duration.ofSeconds(20);

  /** Keys are deleted in portions meanwhile. */
  private static final Duration DELETION = Duration.ofMinutes(2);

  /** Each request has a time-out of its own. */
  private static final Duration UNBOUNDED = Duration.ofDays(1);

  /**
   * A page has 1 MiB, or one record; the changes of one revision come in one page. A store takes
   * requests of up to 1.5 MiB, and a revision is one request.
   */
  static final long MOST_BYTES = (1L << 20) + (3L << 19) + (64 << 10);

  /** Of an answer that is no success. */
  private static final int MOST_LINE = 500;

  private static final JsonMapper JSON = new JsonMapper();

  /**
   * A store as it is reached now.
   *
   * @param host address
   * @param peer what is shown to it, and asked of it
   */
  record Target(String host, int port, PeerTls.Peer peer) {}

  /** Says where a store is; asked before each request. Fast, but for the first time. */
  interface Where {
    Target target() throws IOException;
  }

  private final PeerTls tls = new PeerTls(StoreMovesClient::judge);
  private final HttpClient http = tls.client("store-moves-", CONNECT);

  /** The pages of a store. */
  StoreMoves of(Where where) {
    return new Pages(where, () -> UNBOUNDED);
  }

  @Override
  public void close() {
    http.shutdownNow();
  }

  /** With the engine: the JDK compares names as well, by the address that was asked for. */
  private static void judge(
      PeerTls.Peer peer, X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    peer.ca().checkServerTrusted(chain, type, engine);
  }

  private HttpResponse<byte[]> send(Where where, Call call, Supplier<Duration> bound)
      throws IOException, InterruptedException {
    Target target = where.target();
    URI page =
        URI.create(
            "https://%s:%d/moves%s"
                .formatted(IpAddresses.urlHost(target.host()), target.port(), call.path()));
    HttpRequest.Builder request = HttpRequest.newBuilder(page);
    if (call.isPost()) {
      request
          .header("Content-Type", "application/octet-stream")
          .POST(BodyPublishers.ofByteArray(call.body()));
    }
    Duration left = bound.get();
    Duration most = left.compareTo(call.most()) < 0 ? left : call.most();
    HttpResponse<byte[]> answer;
    try (PeerTls.Use _ = tls.with(target.host(), target.port(), target.peer())) {
      answer = BoundedGet.of(http, request.build(), most, MOST_BYTES, BodyHandlers.ofByteArray());
    }
    if (answer.statusCode() != HttpURLConnection.HTTP_OK) {
      throw new StoreMoves.RefusedException(answer.statusCode(), line(answer.body()));
    }
    return answer;
  }

  /** One line of what may be anybody's text. */
  private static String line(byte[] body) {
    String text =
        new String(body, 0, Math.min(body.length, MOST_LINE), StandardCharsets.UTF_8)
            .replaceAll("[\\p{Cntrl}\\s]+", " ")
            .strip();
    return text.isEmpty() ? "no words" : text;
  }

  /** A request; the path is what follows /moves. */
  private record Call(String path, boolean isPost, byte[] body, Duration most) {
    private static final byte[] NONE = {};

    static Call get(String path, Duration most) {
      return new Call(path, false, NONE, most);
    }

    static Call post(String path, Duration most) {
      return new Call(path, true, NONE, most);
    }
  }

  /** The pages of one store. */
  private final class Pages implements StoreMoves {
    private final Where where;

    private final Supplier<Duration> most;

    Pages(Where where, Supplier<Duration> most) {
      this.where = where;
      this.most = most;
    }

    @Override
    public StoreMoves held(Supplier<Duration> bound) throws IOException {
      Target now = where.target();
      return new Pages(() -> now, bound);
    }

    private HttpResponse<byte[]> send(Call call) throws IOException, InterruptedException {
      return StoreMovesClient.this.send(where, call, most);
    }

    @Override
    public States states() throws IOException, InterruptedException {
      JsonNode page = json(Call.get("", SHORT));
      List<Entry> moves = new ArrayList<>();
      for (JsonNode move : page.path("moves")) {
        moves.add(
            new Entry(
                move.path("prefix").asText(),
                move.path("id").asText(),
                role(move.path("state").asText())));
      }
      List<PrefixDurability.Rule> rules = new ArrayList<>();
      for (JsonNode rule : page.path("durability")) {
        rules.add(
            new PrefixDurability.Rule(
                rule.path("prefix").asText(), durability(rule.path("durability").asText())));
      }
      return new States(
          number(page, "revision"),
          page.path("clusterId").asText(),
          moves,
          new PrefixDurability(rules));
    }

    private static StoreDurability durability(String text) throws IOException {
      for (StoreDurability each : StoreDurability.values()) {
        if (each.name().equalsIgnoreCase(text)) {
          return each;
        }
      }
      throw new IOException("the store knows a durability that this operator does not");
    }

    private static Role role(String text) throws IOException {
      try {
        return Role.valueOf(text);
      } catch (IllegalArgumentException e) {
        throw new IOException("the store knows a state of moves that this operator does not", e);
      }
    }

    @Override
    public void arrive(MoveKey key, long above, String finished)
        throws IOException, InterruptedException {
      String left = finished.isEmpty() ? "" : "&finished=" + encoded(finished);
      send(Call.post("/arrive" + query(key) + "&above=" + above + left, DELETION));
    }

    @Override
    public void take(MoveKey key, byte[] records) throws IOException, InterruptedException {
      send(new Call("/take" + query(key), true, records, PAGE));
    }

    @Override
    public Page page(MoveKey key, String after) throws IOException, InterruptedException {
      HttpResponse<byte[]> answer =
          send(
              Call.get(
                  "/page?prefix="
                      + encoded(key.prefix())
                      + (after.isEmpty() ? "" : "&after=" + encoded(after)),
                  PAGE));
      try {
        return new Page(
            answer.body(),
            answer.headers().firstValue("x-exaplane-next").orElse(""),
            answer.headers().firstValueAsLong("x-exaplane-keys"));
      } catch (NumberFormatException e) {
        throw new IOException("the answer's number of keys is none", e);
      }
    }

    @Override
    public Changes changes(MoveKey key, long after, int waitMs)
        throws IOException, InterruptedException {
      HttpResponse<byte[]> answer =
          send(
              Call.get(
                  "/changes?prefix=%s&after=%d&waitMs=%d"
                      .formatted(encoded(key.prefix()), after, waitMs),
                  SHORT));
      try {
        return new Changes(
            answer.body(),
            Long.parseLong(answer.headers().firstValue("x-exaplane-revision").orElse("")));
      } catch (NumberFormatException e) {
        throw new IOException("the answer says no revision", e);
      }
    }

    @Override
    public long freeze(MoveKey key) throws IOException, InterruptedException {
      return number(json(Call.post("/freeze" + query(key), SHORT)), "revision");
    }

    @Override
    public void thaw(MoveKey key) throws IOException, InterruptedException {
      send(Call.post("/thaw" + query(key), SHORT));
    }

    @Override
    public Sum sum(MoveKey key, Duration most) throws IOException, InterruptedException {
      JsonNode page = json(Call.get("/sum?prefix=" + encoded(key.prefix()), most));
      return new Sum(number(page, "keys"), page.path("sha256").asText());
    }

    @Override
    public long leave(MoveKey key, long frozenAt) throws IOException, InterruptedException {
      return number(
          json(Call.post("/leave" + query(key) + "&revision=" + frozenAt, SHORT)), "revision");
    }

    @Override
    public void finish(MoveKey key, Sum sum, long above) throws IOException, InterruptedException {
      send(
          Call.post(
              "/finish%s&keys=%d&sha256=%s&above=%d"
                  .formatted(query(key), sum.keys(), encoded(sum.sha256()), above),
              PAGE));
    }

    @Override
    public void abandon(MoveKey key) throws IOException, InterruptedException {
      send(Call.post("/abandon" + query(key), DELETION));
    }

    @Override
    public void clear(MoveKey key) throws IOException, InterruptedException {
      send(Call.post("/clear" + query(key) + "&finished=" + encoded(key.taskUid()), DELETION));
    }

    private JsonNode json(Call call) throws IOException, InterruptedException {
      return JSON.readTree(send(call).body());
    }

    private static long number(JsonNode page, String field) throws IOException {
      JsonNode value = page.path(field);
      if (!value.canConvertToLong()) {
        throw new IOException("the answer has no number %s".formatted(field));
      }
      return value.asLong();
    }

    private static String query(MoveKey key) {
      return "?id=%s&prefix=%s".formatted(encoded(key.taskUid()), encoded(key.prefix()));
    }

    private static String encoded(String text) {
      return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
  }
}

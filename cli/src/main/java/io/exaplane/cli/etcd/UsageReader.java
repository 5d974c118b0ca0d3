// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.cli.etcd.Usage.Share;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who takes the space: our store adds it up by itself and says so at {@code /usage}; of an etcd all
 * keys are read, page by page, without their values.
 */
public final class UsageReader {
  /** Our store names so many. */
  public static final int MOST_GROUPS = 100;

  private static final int PAGE_KEYS = 5_000;
  private static final int ATTEMPTS = 10;
  private static final int BUSY = 503;
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final JsonMapper JSON = new JsonMapper();
  private static final Pattern KIND_BYTES =
      Pattern.compile("(?m)^exaplane_store_kind_bytes\\{([^}]*)} (\\S+)");
  private static final Pattern KIND = Pattern.compile("kind=\"([^\"]*)\"");
  private static final Pattern RECORD_BYTES =
      Pattern.compile("(?m)^exaplane_store_record_bytes(?:\\{[^}]*})? (\\S+)");

  private UsageReader() {}

  /**
   * Asks a store.
   *
   * @param root that kube-apiserver's keys begin with
   * @param most groups of each kind
   * @param samples keys of each group whose values are read to estimate bytes, one at a time, where
   *     the store does not tell; 0 for none
   */
  public static Usage read(EtcdClient store, String root, int most, int samples)
      throws InterruptedException {
    Optional<Usage> told = ask(store, most);
    return told.isPresent() ? told.get() : count(store, root, most, samples);
  }

  /** Reads all keys. */
  static Usage count(EtcdClient store, String root, int most, int samples) {
    KeyTotals totals = new KeyTotals(root, most, samples, store::size);
    KeyRange rest = KeyRange.all();
    while (rest != null) {
      EtcdMessages.KeyPage page = store.keys(rest, PAGE_KEYS);
      page.keys().forEach(totals::add);
      rest = page.more() && !page.keys().isEmpty() ? rest.behind(page.keys().getLast()) : null;
    }
    return new Usage(
        totals.keys(),
        samples == 0 ? Usage.UNKNOWN : totals.bytes(),
        Usage.UNKNOWN,
        samples > 0,
        totals.kinds().stream().map(UsageReader::share).toList(),
        totals.namespaces().stream().map(UsageReader::share).toList());
  }

  private static Share share(KeyTotals.Group group) {
    return new Share(
        group.group().kind(),
        group.group().namespace(),
        group.group().prefix(),
        group.keys(),
        group.bytes(),
        Usage.UNKNOWN);
  }

  /** What the store says by itself; nothing if it is another one. */
  private static Optional<Usage> ask(EtcdClient store, int most) throws InterruptedException {
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE);
    if (store.endpoint().getScheme().equals("https")) {
      builder.sslContext(store.credentials().forHttp());
    }
    try (HttpClient http = builder.build()) {
      Optional<String> page = get(http, store.endpoint().resolve("/usage?top=" + most));
      if (page.isEmpty()) {
        return Optional.empty();
      }
      String metrics = get(http, store.endpoint().resolve("/metrics")).orElse("");
      return Optional.of(parse(page.get(), metrics, most));
    } catch (IOException e) {
      // Another store, or a proxy that knows gRPC only: its keys can be counted all the same.
      return Optional.empty();
    }
  }

  private static Optional<String> get(HttpClient http, URI page)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(page).timeout(PATIENCE).build();
    for (int attempt = 1; ; attempt++) {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      if (answer.statusCode() != BUSY || attempt == ATTEMPTS) {
        return answer.statusCode() == 200 ? Optional.of(answer.body()) : Optional.empty();
      }
      TimeUnit.SECONDS.sleep(1);
    }
  }

  /**
   * Reads a page of usage, and what metrics say of history.
   *
   * @throws IOException if it is not our store's
   */
  static Usage parse(String page, String metrics, int most) throws IOException {
    JsonNode root = JSON.readTree(page);
    if (!root.path("kinds").isArray() || !root.path("namespaces").isArray()) {
      throw new IOException("no page of usage");
    }
    Map<String, Double> history = new HashMap<>();
    Matcher lines = KIND_BYTES.matcher(metrics);
    while (lines.find()) {
      Matcher kind = KIND.matcher(lines.group(1));
      if (kind.find()) {
        history.merge(kind.group(1), Double.parseDouble(lines.group(2)), Double::sum);
      }
    }
    Matcher all = RECORD_BYTES.matcher(metrics);
    return new Usage(
        root.path("keys").asLong(),
        root.path("liveBytes").asDouble(),
        all.find() ? Double.parseDouble(all.group(1)) : Usage.UNKNOWN,
        false,
        shares(root.path("kinds"), most, kind -> history.getOrDefault(kind, Usage.UNKNOWN)),
        shares(root.path("namespaces"), most, _ -> Usage.UNKNOWN));
  }

  private static List<Share> shares(JsonNode list, int most, Function<String, Double> history) {
    List<Share> shares = new ArrayList<>();
    for (JsonNode each : list) {
      if (shares.size() < most) {
        String kind = each.path("kind").asText();
        shares.add(
            new Share(
                kind,
                each.path("namespace").asText(),
                each.path("prefix").asText(),
                each.path("keys").asLong(),
                each.path("bytes").asDouble(),
                history.apply(kind)));
      }
    }
    return List.copyOf(shares);
  }
}

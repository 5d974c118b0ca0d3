// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The metrics that alerts rest on are those that real processes show, with the same labels. */
@ExtendWith(ControlPlanes.Given.class)
class AlertMetricsProcessTest {
  private static final Pattern SAMPLE = Pattern.compile("(?m)^(\\w+?)(?:\\{(.*)})? [^ ]+$");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"(?:[^\"\\\\]|\\\\.)*\"");

  /** Shown by stores with TLS only; the stores of this test have none. */
  private static final Set<String> WITH_TLS = Set.of("exaplane_store_tls_files_unusable");

  /** Parts of histograms and summaries have them beside the metric's own. */
  private static final Set<String> OF_PARTS = Set.of("le", "quantile");

  @TempDir private Path folder;

  @Test
  void areThoseOfKubeApiServer(ControlPlanes controlPlanes) throws Exception {
    Map<String, Set<String>> page;
    try (ControlPlane controlPlane = controlPlanes.shared(folder)) {
      page = page(Http.get(controlPlane.uri("/metrics")).body());
    }
    JsonNode known = catalogue("kubernetes-metrics.json").path(Clusters.version().toString());
    Set<String> compared = new HashSet<>();
    for (Map.Entry<String, Set<String>> shown : page.entrySet()) {
      JsonNode metric = known.path(whole(shown.getKey(), known));
      if (!metric.isMissingNode()) {
        assertThat(shown.getValue()).as(shown.getKey()).isEqualTo(labels(metric));
        compared.add(shown.getKey());
      }
    }
    assertThat(compared)
        .hasSizeGreaterThan(100)
        .contains("apiserver_request_total", "apiserver_flowcontrol_current_limit_seats");
    JsonNode ofProcesses = catalogue("metrics.json").path("processes");
    ofProcesses.fieldNames().forEachRemaining(name -> assertThat(page).containsKey(name));
  }

  @Test
  void areThoseOfAStore() throws Exception {
    try (Server store = store();
        ControlPlane controlPlane =
            ControlPlane.on(store, folder, folder, Clusters.tuning(100), List.of())) {
      controlPlane.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"alerts\"}}");
      Map<String, JsonNode> known = seriesOfAStore();
      // A request is counted behind its answer, and by and by all kinds of requests have come.
      Await.until(
          "all series are there",
          () -> ofStore(store).keySet().containsAll(known.keySet()),
          () -> missing(known, ofStore(store)));
      Map<String, Set<String>> page = ofStore(store);
      known.forEach(
          (series, metric) -> assertThat(page.get(series)).as(series).isEqualTo(labels(metric)));
    }
  }

  private static Map<String, Set<String>> ofStore(Server store) throws Exception {
    return page(Http.get(store.page().resolve("/metrics")).body());
  }

  private static Set<String> missing(Map<String, JsonNode> known, Map<String, Set<String>> page) {
    Set<String> missing = new TreeSet<>(known.keySet());
    missing.removeAll(page.keySet());
    return missing;
  }

  private static Map<String, JsonNode> seriesOfAStore() throws Exception {
    Map<String, JsonNode> series = new TreeMap<>();
    for (Map.Entry<String, JsonNode> metric :
        catalogue("metrics.json").path("store").properties()) {
      if (!WITH_TLS.contains(metric.getKey())) {
        boolean isHistogram = metric.getValue().path("type").asText().equals("histogram");
        series.put(metric.getKey() + (isHistogram ? "_count" : ""), metric.getValue());
      }
    }
    return series;
  }

  /**
   * With rules for a prefix, below which the kube-apiserver of the test has its keys. Each request
   * is a slow one.
   */
  private Server store() throws Exception {
    String url = "http://127.0.0.1:" + Machine.freePort();
    List<String> command = Machine.storeCommand();
    command.addAll(
        List.of(
            "--durability=memory",
            "--prefix-durability=/start-=memory",
            "--prefix-quota-bytes=/start-=100000000",
            "--quota-load-bytes=1000000000",
            "--slow-request-threshold=1ns",
            "--listen-client-urls=" + url));
    return Server.start(
        command, Map.of(), URI.create(url + "/readyz"), folder.resolve("store.log"));
  }

  /** The names of series, and the labels of the first one. */
  private static Map<String, Set<String>> page(String text) {
    Map<String, Set<String>> page = new TreeMap<>();
    Matcher sample = SAMPLE.matcher(text);
    while (sample.find()) {
      Set<String> labels = new TreeSet<>();
      Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
      while (label.find()) {
        labels.add(label.group(1));
      }
      labels.removeAll(OF_PARTS);
      page.putIfAbsent(sample.group(1), labels);
    }
    return page;
  }

  private static String whole(String series, JsonNode known) {
    String whole = series.replaceFirst("_(bucket|count|sum)$", "");
    return known.has(series) ? series : whole;
  }

  private static Set<String> labels(JsonNode metric) {
    Set<String> labels = new TreeSet<>(List.of(metric.path("labels").asText().split(" ")));
    labels.remove("");
    return labels;
  }

  private static JsonNode catalogue(String name) throws Exception {
    try (InputStream in = Machine.class.getResourceAsStream("/io/exaplane/tuning/alerts/" + name)) {
      return new JsonMapper().readTree(in);
    }
  }
}

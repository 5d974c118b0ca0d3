// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages of metrics that real kube-apiservers gave, and made-up ones. */
class ServerSampleTest {
  private static final String HEAD =
      "apiserver_current_inflight_requests{request_kind=\"readOnly\"} 3\n";

  private static List<String> page(String minor) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(
                    ServerSampleTest.class.getResourceAsStream(
                        "/metrics/kube-apiserver-" + minor + ".txt.gz")),
                StandardCharsets.UTF_8))) {
      return lines.lines().toList();
    }
  }

  private static Optional<ServerSample> read(Iterable<String> lines) {
    ServerSample.Reader reader = new ServerSample.Reader();
    lines.forEach(reader::line);
    return reader.sample();
  }

  private static ServerSample read(String text) {
    return read(text.lines().toList()).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"1.36, 57, 59, 409", "1.37, 61, 59, 424"})
  void aRealPage(String minor, int caches, int lists, int requests) throws IOException {
    ServerSample sample = read(page(minor)).orElseThrow();
    assertThat(sample.caches()).hasSize(caches).isEqualTo(sample.initialised());
    assertThat(sample.lists()).isEqualTo(lists);
    assertThat(sample.inflight()).isZero();
    assertThat(sample.durations().upTo().lastEntry().getKey()).isInfinite();
    assertThat(sample.durations().upTo().lastEntry().getValue()).isEqualTo(requests);
    ServerLoad load = ServerLoad.between(read(HEAD), sample, 10, 600);
    assertThat(load.requestP99Millis()).isBetween(1L, 5_000L);
    assertThat(load.relistsPerSecond()).isEqualTo(Math.round(lists / 10.0));
    assertThat(load.cachesReady()).isEqualTo(caches);
  }

  /** One cache that is not initialised yet is one too few. */
  @ParameterizedTest
  @CsvSource({"1.36", "1.37"})
  void aRealPageOfAServerThatIsStarting(String minor) throws IOException {
    List<String> lines =
        page(minor).stream()
            .map(
                line ->
                    line.startsWith("apiserver_watch_cache_initializations_total{")
                            && line.contains("resource=\"pods\"")
                        ? line.replaceFirst(" [0-9]+$", " 0")
                        : line)
            .toList();
    ServerLoad load =
        ServerLoad.between(read(lines).orElseThrow(), read(lines).orElseThrow(), 5, 600);
    assertThat(load.cachesReady()).isEqualTo(load.caches() - 1);
    assertThat(load.requestP99Millis()).as("nothing happened in between").isZero();
  }

  @Test
  void longRequestsAndPagesAreNoMeasure() {
    String bucket = "apiserver_request_duration_seconds_bucket{%s,le=\"%s\"} %d%n";
    StringBuilder page = new StringBuilder(HEAD);
    for (String labels :
        List.of(
            "resource=\"pods\",subresource=\"\",verb=\"WATCH\"",
            "resource=\"pods\",subresource=\"\",verb=\"WATCHLIST\"",
            "resource=\"pods\",subresource=\"exec\",verb=\"CONNECT\"",
            "resource=\"pods\",subresource=\"log\",verb=\"GET\"",
            "resource=\"\",subresource=\"/metrics\",verb=\"GET\"")) {
      page.append(bucket.formatted(labels, "+Inf", 7));
    }
    assertThat(read(page.toString()).durations().upTo()).isEmpty();
    page.append(bucket.formatted("resource=\"pods\",subresource=\"\",verb=\"GET\"", "+Inf", 7));
    assertThat(read(page.toString()).durations().upTo().values()).containsExactly(7.0);
  }

  @Test
  void otherPagesAreNone() {
    assertThat(read(List.of("", "<html>}", "up{} 1", "# HELP x {", "}"))).isEmpty();
    assertThat(read(HEAD + "apiserver_request_total{verb=\"LIST\"} many\n").lists()).isZero();
    assertThat(read(HEAD + "apiserver_request_total{verb=\"LIST\"} 4 1700000000\n").lists())
        .isEqualTo(4);
  }

  @Test
  void aProcessThatBeganAnewIsAnother() {
    ServerSample first = read(HEAD + "apiserver_request_total{verb=\"LIST\"} 9\n");
    ServerSample later = read(HEAD + "apiserver_request_total{verb=\"LIST\"} 12\n");
    assertThat(later.follows(first)).isTrue();
    assertThat(first.follows(later)).isFalse();
    assertThat(ServerLoad.between(first, later, 3, 0)).isEqualTo(new ServerLoad(0, 0, 0, 0, 1));
    assertThat(ServerLoad.between(first, later, 3, 6).inflightPercent()).isEqualTo(50);
  }

  @ParameterizedTest
  @CsvSource({
    "0.5, 0.5",
    "0.99, 9.1",
    "1, 10",
  })
  void aQuantileIsAsInPrometheus(double part, double seconds) {
    TreeMap<Double, Double> upTo = new TreeMap<>();
    upTo.put(1.0, 100.0 * 0.9 + 0.0);
    upTo.put(10.0, 100.0);
    upTo.put(Double.POSITIVE_INFINITY, 100.0);
    double expected = part == 0.5 ? 50 / 90.0 : seconds;
    assertThat(new DurationCounts(upTo).quantile(part)).isCloseTo(expected, within(1e-9));
  }

  @Test
  void aboveTheLastBoundIsTheLastBound() {
    TreeMap<Double, Double> upTo = new TreeMap<>();
    upTo.put(60.0, 1.0);
    upTo.put(Double.POSITIVE_INFINITY, 100.0);
    assertThat(new DurationCounts(upTo).quantile(0.99)).isEqualTo(60);
    assertThat(new DurationCounts(new TreeMap<>()).quantile(0.99)).isZero();
  }
}

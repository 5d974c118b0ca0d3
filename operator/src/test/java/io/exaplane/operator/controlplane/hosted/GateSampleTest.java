// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a gate reads of a page of metrics. */
class GateSampleTest {
  private static Optional<GateSample> read(String page) {
    GateSample.Reader reader = new GateSample.Reader();
    page.lines().forEach(reader::line);
    return reader.sample();
  }

  @Test
  void answers429CountUnlessABudgetGaveThem() {
    GateSample sample =
        read("""
                # HELP apiserver_request_total Counter
                apiserver_current_inflight_requests{request_kind="readOnly"} 3
                apiserver_request_total{code="200",resource="pods",verb="LIST"} 7
                apiserver_request_total{code="429",resource="pods",verb="LIST"} 5
                apiserver_request_total{component="apiserver",code="429",verb="GET"} 2 1700000000
                apiserver_request_total{errorcode="429",code="200",verb="GET"} 100
                apiserver_request_total{code="429",resource="pods",subresource="eviction",verb="POST"} 100
                apiserver_other_total{code="429"} 100
                """)
            .orElseThrow();
    assertThat(sample.throttled()).isEqualTo(7);
    assertThat(sample.sample().lists()).isEqualTo(12);
  }

  @Test
  void aPageOfAnotherProgramSaysNothing() {
    assertThat(read("apiserver_request_total{code=\"429\"} 5\n")).isEmpty();
  }

  @Test
  void aProcessThatBeganAnewDoesNotFollow() {
    String page =
        "apiserver_current_inflight_requests{a=\"b\"} 1\napiserver_request_total{code=\"429\",verb=\"GET\"} %d\n";
    GateSample more = read(page.formatted(5)).orElseThrow();
    GateSample less = read(page.formatted(4)).orElseThrow();
    assertThat(more.follows(less)).isTrue();
    assertThat(less.follows(more)).isFalse();
  }
}

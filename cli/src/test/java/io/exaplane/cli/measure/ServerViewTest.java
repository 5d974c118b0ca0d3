// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.tuning.model.InvalidInputException;
import org.junit.jupiter.api.Test;

class ServerViewTest {
  private static String page(int puts, int own, int watches, double start) {
    return """
    # HELP apiserver_request_total Counter
    apiserver_request_total{code="200",resource="leases",subresource="",verb="PUT"} %d
    apiserver_request_total{code="409",resource="leases",subresource="",verb="PUT"} 1
    apiserver_request_total{code="200",resource="leases",subresource="",verb="GET"} %d
    apiserver_request_total{code="200",resource="nodes",subresource="status",verb="PATCH"} 4
    apiserver_request_total{code="200",resource="",subresource="",verb="GET"} %d
    apiserver_selfrequest_total{group="coordination.k8s.io",resource="leases",subresource="",verb="GET"} %d
    apiserver_longrunning_requests{resource="pods",subresource="",verb="WATCH"} %d
    apiserver_longrunning_requests{resource="pods",subresource="log",verb="CONNECT"} 9
    apiserver_watch_events_total{group="",resource="pods",version="v1"} %d
    etcd_requests_total{group="",operation="update",resource="leases"} %d
    apiserver_resource_objects{group="",resource="nodes"} 4
    process_start_time_seconds %f
    process_cpu_seconds_total %f
    go_memstats_heap_alloc_bytes 1
    process_resident_memory_bytes 1.048576e+06
    """
        .formatted(puts, own, puts, own, watches, puts, puts, start, puts / 100.0);
  }

  private static ServerView between(String before, String after) {
    return ServerView.between("u", ServerPage.parse(before), ServerPage.parse(after), 4, 30);
  }

  @Test
  void onlyRequestsOfClientsInTheTimeCount() {
    ServerView view = between(page(100, 10, 8, 1), page(220, 50, 8, 1));
    assertThat(view.requests())
        .containsExactly(new ServerView.Requests("PUT", "leases", 120, 4, 60));
    assertThat(view.store())
        .containsExactly(new ServerView.StoreRequests("update", "leases", 120, 4));
  }

  @Test
  void watchesAreThoseThatAreOpen() {
    ServerView view = between(page(100, 0, 2, 1), page(103, 0, 8, 1));
    assertThat(view.watches()).containsExactly(new ServerView.Watches("pods", 8, 2, 3));
    assertThat(view.nodes()).isEqualTo(4);
    assertThat(ServerPage.parse(page(1, 0, 2, 1)).nodes()).isEqualTo(4);
  }

  @Test
  void cpuIsOfTheTimeAndMemoryOfTheEnd() {
    ServerView view = between(page(0, 0, 0, 1), page(1500, 0, 0, 1));
    assertThat(view.cores()).isEqualTo(0.5);
    assertThat(view.memoryBytes()).isEqualTo(1 << 20);
  }

  @Test
  void figuresOfTwoServersAreNotMixed() {
    assertThatThrownBy(() -> between(page(0, 0, 0, 1), page(1, 0, 0, 2)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("use the address of one kube-apiserver");
  }
}

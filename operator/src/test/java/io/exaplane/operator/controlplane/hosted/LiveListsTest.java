// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.tuning.lists.MetricsPage;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveListsTest {
  private static final Instant NOON = Instant.parse("2026-11-28T12:00:00Z");

  /** Lines of a page of 1.37. */
  static String lists(String resource, int fromStore, int fromCache) {
    return """
    apiserver_storage_list_total{group="",resource="%1$s",storage="etcd"} 2
    apiserver_storage_list_fetched_objects_total{group="",resource="%1$s",storage="etcd"} %2$d
    apiserver_storage_list_total{group="",resource="%1$s",storage="watchcache"} 3
    apiserver_storage_list_fetched_objects_total{group="",resource="%1$s",storage="watchcache"} %3$d
    """
        .formatted(resource, fromStore, fromCache);
  }

  private static List<MetricsPage.Lists> page(String text) {
    return MetricsPage.parse(text).lists();
  }

  @Test
  void listsOfAllServersAreAddedUpAndTheDearestIsFirst() {
    List<MetricsPage.Lists> server = page(lists("pods", 100, 400) + lists("secrets", 0, 5_000));
    LiveLists first = LiveLists.of(List.of(server, server), null, NOON);
    assertThat(first.resources())
        .extracting(each -> each.lists().resource())
        .containsExactly("secrets", "pods");
    MetricsPage.Lists pods = first.resources().get(1).lists();
    assertThat(pods.storeFetched()).isEqualTo(200);
    assertThat(pods.cacheLists()).isEqualTo(6);
    assertThat(first.resources().getFirst().readPerSecond()).as("the first look").isZero();
  }

  @Test
  void aRateIsThatSinceTheLookBefore() {
    LiveLists first =
        LiveLists.of(
            List.of(page(lists("pods", 100, 400) + lists("secrets", 0, 5_000))), null, NOON);
    LiveLists second =
        LiveLists.of(
            List.of(page(lists("pods", 2_100, 400) + lists("secrets", 0, 10))),
            first,
            NOON.plusSeconds(10));
    assertThat(second.resources().getFirst().lists().resource()).isEqualTo("pods");
    assertThat(second.resources().getFirst().readPerSecond()).isEqualTo(200);
    assertThat(second.resources().get(1).readPerSecond()).as("a server began again").isZero();
  }
}

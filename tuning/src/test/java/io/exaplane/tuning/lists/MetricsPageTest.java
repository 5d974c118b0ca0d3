// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.tuning.model.InvalidInputException;
import org.junit.jupiter.api.Test;

class MetricsPageTest {
  @Test
  void readsTheNamesOfAllVersions() {
    Inventory old =
        MetricsPage.parse("apiserver_storage_objects{resource=\"deployments.apps\"} 7\n")
            .inventory();
    assertThat(old.resource("apps/deployments").objects()).isEqualTo(7);
    Inventory now =
        MetricsPage.parse(
                """
                # HELP apiserver_resource_objects [ALPHA] Number of stored objects
                apiserver_resource_objects{group="apps",resource="deployments"} 7
                apiserver_resource_objects{group="",resource="pods"} 1e+03
                apiserver_resource_objects{group="",resource="secrets"} -1
                apiserver_resource_size_estimate_bytes{group="",resource="pods"} 4e+06
                """)
            .inventory();
    assertThat(now.resource("apps/deployments").objects()).isEqualTo(7);
    assertThat(now.resource("pods").bytes()).isEqualTo(4_000);
    assertThat(now.resource("secrets").objects()).isZero();
  }

  @Test
  void saysItsVersion() {
    String build =
        "kubernetes_build_info{build_date=\"x\",git_commit=\"c\",git_version=\"v1.36.3-gke.1\",major=\"1\",minor=\"36\"}"
            + " 1\n";
    assertThat(MetricsPage.parse(build).version()).contains("v1.36.3-gke.1");
    assertThat(MetricsPage.parse("go_info{version=\"go1.26\"} 1\n").version()).isEmpty();
  }

  @Test
  void prefixesOfKeysAreTheirResources() {
    MetricsPage page =
        MetricsPage.parse(
            """
            apiserver_storage_objects{resource="nodes"} 5
            apiserver_storage_objects{resource="deployments.apps"} 7
            apiserver_cache_list_total{index="",resource_prefix="/minions"} 1
            apiserver_cache_list_total{index="",resource_prefix="/deployments"} 2
            """);
    assertThat(page.lists())
        .extracting(MetricsPage.Lists::resource)
        .containsExactly("apps/deployments", "nodes");
    assertThat(page.lists().getFirst().objects()).isEqualTo(7);
  }

  @Test
  void ranksResourcesByWhatTheirListsRead() {
    MetricsPage page =
        MetricsPage.parse(
            """
            apiserver_storage_list_total{group="",resource="events",storage="etcd"} 2
            apiserver_storage_list_fetched_objects_total{group="",resource="events",storage="etcd"} 100
            apiserver_storage_list_returned_objects_total{group="",resource="events",storage="etcd"} 10
            apiserver_cache_list_total{group="",index="",resource="pods"} 3
            apiserver_cache_list_fetched_objects_total{group="",index="",resource="pods"} 3000
            apiserver_cache_list_fetched_objects_total{group="",index="f:spec.nodeName",resource="pods"} 5
            """);
    assertThat(page.lists())
        .extracting(MetricsPage.Lists::resource)
        .containsExactly("pods", "events");
    assertThat(page.lists().getFirst().cacheFetched()).isEqualTo(3_005);
    assertThat(page.lists().getLast().waste()).isEqualTo(10);
  }

  /** 1.37 counts LISTs of stores and of caches under one name, and may count the older one, too. */
  @Test
  void cachesAreCountedOnceUnderEitherName() {
    String newer =
        """
        apiserver_storage_list_total{group="",index="",resource="pods",storage="etcd"} 1
        apiserver_storage_list_total{group="",index="",resource="pods",storage="watchcache"} 4
        apiserver_storage_list_fetched_objects_total{group="",index="",resource="pods",storage="etcd"} 7
        apiserver_storage_list_fetched_objects_total{group="",index="",resource="pods",storage="watchcache"} 3000
        apiserver_storage_list_fetched_objects_total{group="",index="f:spec.nodeName",resource="pods",storage="watchcache"} 5
        apiserver_storage_list_returned_objects_total{group="",resource="pods",storage="watchcache"} 300
        """;
    String both =
        newer
            + """
            apiserver_cache_list_total{group="",index="",resource="pods"} 4
            apiserver_cache_list_fetched_objects_total{group="",index="",resource="pods"} 3000
            apiserver_cache_list_fetched_objects_total{group="",index="f:spec.nodeName",resource="pods"} 5
            apiserver_cache_list_returned_objects_total{group="",resource="pods"} 300
            """;
    for (String text : new String[] {newer, both}) {
      assertThat(MetricsPage.parse(text).lists())
          .containsExactly(new MetricsPage.Lists("pods", 0, 1, 7, 4, 3_005, 300));
    }
  }

  @Test
  void anInventoryFileWinsAndNamesWhatIsWrong() throws Exception {
    Inventory base =
        MetricsPage.parse(
                "apiserver_resource_objects{group=\"\",resource=\"pods\"} 1000\n"
                    + "apiserver_resource_objects{group=\"\",resource=\"namespaces\"} 11\n")
            .inventory();
    Inventory read =
        InventoryFile.read(
            new JsonMapper()
                .readTree(
                    "{\"pods\":{\"bytes\":9,\"namespaces\":{\"a\":500}},\"nodes\":{\"objects\":4}}"),
            base);
    assertThat(read.objects("pods", "a")).isEqualTo(500);
    assertThat(read.objects("pods", "b")).as("the rest, over the other ten").isEqualTo(50);
    assertThat(read.resource("pods").bytes()).isEqualTo(9);
    assertThat(read.nodes()).isEqualTo(4);
    assertThatThrownBy(
            () ->
                InventoryFile.read(
                    new JsonMapper().readTree("{\"pods\":{\"objects\":\"many\"}}"), base))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("inventory.pods.objects: '\"many\"' must be a number from 0");
    assertThatThrownBy(
            () -> InventoryFile.read(new JsonMapper().readTree("{\"pods\":{\"object\":5}}"), base))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("inventory.pods: 'object' is not a known field");
    assertThatThrownBy(() -> InventoryFile.read(new JsonMapper().readTree("{\"pods\":5}"), base))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("must be an object");
  }

  @Test
  void figuresWithoutClientsTellWhatClientsDo() {
    MetricsPage.Lists fromStore = new MetricsPage.Lists("pods", 100, 4, 400, 1, 1_999, 1_900);
    assertThat(fromStore.finding()).isEqualTo(Finding.STORE_READS);
    MetricsPage.Lists selected = new MetricsPage.Lists("pods", 100, 0, 0, 40, 4_000, 400);
    assertThat(selected.finding()).isEqualTo(Finding.SELECTOR_WITHOUT_INDEX);
    MetricsPage.Lists whole = new MetricsPage.Lists("pods", 120, 0, 0, 40, 4_000, 401);
    assertThat(whole.finding()).isEqualTo(Finding.DEAREST);
    assertThat(fromStore.and(whole))
        .isEqualTo(new MetricsPage.Lists("pods", 120, 4, 400, 41, 5_999, 2_301));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.tuning.lists.Inventory.Resource;
import io.exaplane.tuning.version.MinorVersion;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Accounts of one name in many namespaces: when are they one client? */
class FamiliesTest {
  private static final int NAMESPACES = 12;
  private static final Inventory INVENTORY =
      new Inventory(
          Map.of(
              "pods", new Resource(10_000, 4_000, Map.of()),
              "ingressclasses", new Resource(3, 500, Map.of())),
          100);
  private ListAnalysis analysis;

  @BeforeEach
  void begin() {
    analysis = new ListAnalysis(MinorVersion.of(36), INVENTORY);
  }

  @Test
  void jobsWithAnAccountForEachNamespaceAreOneClient() {
    eachDiscovers("runner");
    assertThat(analysis.clients())
        .singleElement()
        .satisfies(
            report -> {
              assertThat(report.client().account()).isEqualTo("system:serviceaccount:*:runner");
              assertThat(report.findings()).containsOnlyKeys(Finding.COLD_DISCOVERY);
            });
  }

  /** Ten teams' unrelated programs use the same account's name and the same library. */
  @Test
  void defaultAccountsAreNoFamily() {
    eachDiscovers("default");
    assertThat(analysis.clients())
        .hasSize(NAMESPACES)
        .allSatisfy(report -> assertThat(report.findings()).isEmpty());
  }

  @Test
  void theGuiltyOneIsNamedBesideWhatAllDoTogether() {
    eachDiscovers("runner");
    for (int i = 0; i < 40; i++) {
      take("list", "system:serviceaccount:ns-7:runner", 7, "/api/v1/pods", "pods", 20L * i);
    }
    List<ClientReport> clients = analysis.clients();
    assertThat(clients).hasSize(2);
    ClientReport guilty = clients.getFirst();
    assertThat(guilty.client().account()).isEqualTo("system:serviceaccount:ns-7:runner");
    assertThat(guilty.findings()).containsOnlyKeys(Finding.POLLING);
    assertThat(guilty.lists()).isEqualTo(40);
    ClientReport others = clients.getLast();
    assertThat(others.client().account()).isEqualTo("system:serviceaccount:*:runner");
    assertThat(others.findings()).containsOnlyKeys(Finding.COLD_DISCOVERY);
    assertThat(others.lists()).isZero();
    assertThat(others.servedBy()).isEmpty();
    assertThat(others.cost().score()).isZero();
    assertThat(others.instances()).isEqualTo(NAMESPACES - 1);
  }

  /** To read three objects twenty times costs nothing, however they are selected. */
  @Test
  void manySelectorsOfAFewObjectsAreNotAccused() {
    for (int i = 0; i < 60; i++) {
      String uri = "/apis/networking.k8s.io/v1/ingressclasses?labelSelector=app%3D" + i % 30;
      take("list", "terraform", 1, uri, "ingressclasses", 10L * i);
      take("list", "argo", 2, uri.replace("ingressclasses", "pods"), "pods", 10L * i);
    }
    assertThat(analysis.clients()).hasSize(2);
    assertThat(analysis.clients().getFirst().findings()).containsKey(Finding.MANY_SELECTORS);
    assertThat(analysis.clients().getLast().client().account()).isEqualTo("terraform");
    assertThat(analysis.clients().getLast().findings()).isEmpty();
  }

  private void eachDiscovers(String account) {
    for (int n = 0; n < NAMESPACES; n++) {
      for (int group = 0; group < 10; group++) {
        String user = "system:serviceaccount:ns-%d:%s".formatted(n, account);
        take("get", user, n, "/apis/g%d.io/v1".formatted(group), "", 60L * n);
      }
    }
  }

  private void take(
      String verb, String user, int instance, String uri, String resource, long second) {
    analysis.take(
        new AuditEvent(
            verb,
            user,
            "program/1",
            "10.0.0." + instance,
            uri,
            resource,
            "",
            "",
            200,
            second * 1_000_000));
  }
}

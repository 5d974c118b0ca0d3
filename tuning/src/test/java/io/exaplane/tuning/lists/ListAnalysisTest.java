// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.tuning.lists.Inventory.Resource;
import io.exaplane.tuning.version.MinorVersion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ListAnalysisTest {
  private static final Inventory INVENTORY =
      new Inventory(
          Map.of(
              "pods", new Resource(10_000, 4_000, Map.of("small", 20.0, "large", 5_000.0)),
              "namespaces", new Resource(12, 500, Map.of()),
              "events", new Resource(1_000, 1_000, Map.of())),
          100);
  private long seconds;

  @Test
  void anInformerIsNotAccused() {
    ListAnalysis analysis = analysis(36);
    analysis.take(list("/api/v1/pods?limit=500&resourceVersion=0", ""));
    analysis.take(watch("/api/v1/pods?resourceVersion=10&allowWatchBookmarks=true"));
    analysis.take(list("/api/v1/pods?limit=500&resourceVersion=0", ""));
    analysis.take(watch("/api/v1/pods?resourceVersion=20&allowWatchBookmarks=true"));
    ClientReport report = only(analysis);
    assertThat(report.findings()).isEmpty();
    assertThat(report.cost().cacheObjects()).isEqualTo(20_000);
    assertThat(report.cost().storeObjects()).isZero();
    assertThat(report.servedBy()).isEqualTo(Map.of("cache", 2L));
  }

  @Test
  void aPollerIsNamedAndItsCostDependsOnTheVersion() {
    for (int minor : new int[] {30, 36}) {
      ListAnalysis analysis = analysis(minor);
      for (int i = 0; i < 6; i++) {
        analysis.take(list("/api/v1/pods", ""));
      }
      ClientReport report = only(analysis);
      assertThat(report.findings().keySet())
          .isEqualTo(
              minor == 30 ? Set.of(Finding.STORE_READS, Finding.POLLING) : Set.of(Finding.POLLING));
      assertThat(report.cost().storeObjects()).isEqualTo(minor == 30 ? 60_000 : 0);
      assertThat(report.cost().storeBytes()).isEqualTo(minor == 30 ? 240e6 : 0);
      assertThat(report.cost().cacheObjects()).isEqualTo(minor == 30 ? 0 : 60_000);
    }
  }

  @Test
  void pagesOfACacheWalkOverAllThatIsLeft() {
    ListAnalysis analysis = analysis(36);
    analysis.take(list("/api/v1/namespaces/large/pods?limit=2000", "large"));
    analysis.take(list("/api/v1/namespaces/large/pods?limit=2000&continue=x", "large"));
    analysis.take(list("/api/v1/namespaces/large/pods?limit=2000&continue=y", "large"));
    ClientReport report = only(analysis);
    assertThat(report.cost().cacheObjects()).isEqualTo(5_000 + 3_000 + 1_000);
    assertThat(report.cost().returnedBytes()).isEqualTo(5_000 * 4_000.0);
    assertThat(report.findings()).isEmpty();
  }

  @Test
  void pagesOfAStoreReadThePageAlone() {
    ListAnalysis analysis = analysis(30);
    analysis.take(list("/api/v1/pods?limit=500", ""));
    analysis.take(list("/api/v1/pods?limit=500&continue=x", ""));
    assertThat(only(analysis).cost().storeObjects()).isEqualTo(1_000);
    assertThat(only(analysis).findings()).containsOnlyKeys(Finding.PAGES_FROM_STORE);
  }

  @Test
  void anIgnoredLimitIsNamedUnlessAnInformerAsked() {
    ListAnalysis analysis = analysis(36);
    for (int i = 0; i < 3; i++) {
      analysis.take(list("/api/v1/pods?limit=500&resourceVersion=0", ""));
    }
    assertThat(only(analysis).findings()).containsEntry(Finding.LIMIT_IGNORED, 3L);
  }

  @Test
  void aNodesPodsHaveAnIndexOtherSelectionsHaveNot() {
    ListAnalysis analysis = analysis(36);
    for (int i = 0; i < 6; i++) {
      analysis.take(list("/api/v1/pods?fieldSelector=spec.nodeName%3Dn1&resourceVersion=0", ""));
    }
    assertThat(only(analysis).cost().cacheObjects()).isEqualTo(6 * 100);
    assertThat(only(analysis).findings().keySet()).doesNotContain(Finding.SELECTOR_WITHOUT_INDEX);
    analysis = analysis(36);
    for (int i = 0; i < 6; i++) {
      analysis.take(list("/api/v1/pods?labelSelector=app%3Da&resourceVersion=0", ""));
    }
    assertThat(only(analysis).cost().cacheObjects()).isEqualTo(60_000);
    assertThat(only(analysis).findings()).containsKey(Finding.SELECTOR_WITHOUT_INDEX);
  }

  @Test
  void eventsAlwaysComeFromTheStoreAndNobodyIsAccusedOfIt() {
    ListAnalysis analysis = analysis(36);
    AuditEvent list = list("/api/v1/events", "");
    analysis.take(
        new AuditEvent(
            "list", "u", "a/1", "ip", list.uri(), "events", "", "", 200, list.receivedMicros()));
    assertThat(only(analysis).cost().storeObjects()).isEqualTo(1_000);
    assertThat(only(analysis).findings()).isEmpty();
  }

  @Test
  void smallNamespacesMayBeAskedOften() {
    ListAnalysis analysis = analysis(36);
    for (int i = 0; i < 50; i++) {
      analysis.take(list("/api/v1/namespaces/small/pods", "small"));
    }
    assertThat(only(analysis).findings()).isEmpty();
    assertThat(only(analysis).cost().cacheObjects()).isEqualTo(1_000);
  }

  @Test
  void programsThatShareAServiceAccountAreNamedAndVersionsAreNotPrograms() {
    ListAnalysis analysis = analysis(36);
    for (String agent : List.of("scraper/v1", "scraper/v2 (linux)", "exporter/v1")) {
      analysis.take(
          event("get", "system:serviceaccount:tools:shared", agent, "ip", "/api/v1/pods/x", 200));
    }
    analysis.take(event("get", "someone", "kubectl/1", "ip", "/api/v1/pods/x", 200));
    analysis.take(event("get", "someone", "k9s/1", "ip", "/api/v1/pods/x", 200));
    assertThat(analysis.clients())
        .filteredOn(report -> report.findings().containsKey(Finding.SHARED_ACCOUNT))
        .extracting(report -> report.client().program())
        .containsExactlyInAnyOrder("scraper", "exporter");
  }

  @Test
  void instancesThatStartAnewTogetherAreNamedAndThoseThatTakeTheirTimeAreNot() {
    ListAnalysis together = analysis(36);
    ListAnalysis staggered = analysis(36);
    for (int i = 0; i < 80; i++) {
      together.take(agent(i % 40, i / 40 * 600 + i % 40));
      staggered.take(agent(i % 40, 20L * i));
    }
    assertThat(only(together).findings()).containsEntry(Finding.RESTARTS_IN_STEP, 40L);
    assertThat(only(staggered).findings()).isEmpty();
    assertThat(only(staggered).instances()).isEqualTo(40);
  }

  /** A log's beginning is not the clients' beginning. */
  @Test
  void aShortLogAccusesNobodyOfStartingTogether() {
    ListAnalysis analysis = analysis(36);
    for (int i = 0; i < 40; i++) {
      analysis.take(agent(i, i / 2));
    }
    assertThat(only(analysis).findings()).isEmpty();
  }

  /** An agent begins with several informers; that is no restart. */
  @Test
  void beginningWithSeveralResourcesIsOneBeginning() {
    ListAnalysis analysis = analysis(36);
    for (int i = 0; i < 40; i++) {
      for (String resource : List.of("pods", "nodes", "services")) {
        analysis.take(
            new AuditEvent(
                "list",
                "u",
                "agent/1",
                "10.0.0." + i,
                "/api/v1/" + resource + "?resourceVersion=0",
                resource,
                "small",
                "",
                200,
                i * 1_000_000L));
      }
    }
    assertThat(only(analysis).findings()).isEmpty();
  }

  @Test
  void whatTimedOutWasWorkedOnAndWhatWasRefusedWasNot() {
    for (int code : new int[] {504, 429, 403}) {
      ListAnalysis analysis = analysis(30);
      AuditEvent list = list("/api/v1/pods", "");
      analysis.take(new AuditEvent("list", "u", "a/1", "ip", list.uri(), "pods", "", "", code, 0));
      assertThat(only(analysis).cost().storeObjects()).isEqualTo(code == 504 ? 10_000 : 0);
    }
  }

  @Test
  void resourcesThatNobodyCountedAreNamed() {
    ListAnalysis analysis = analysis(36);
    analysis.take(
        new AuditEvent("list", "u", "a/1", "ip", "/api/v1/secrets", "secrets", "", "", 200, 0));
    assertThat(analysis.uncounted()).containsExactly("secrets");
  }

  /** A cache without an order of keys was walked whole until 1.31. */
  @Test
  void olderCachesAreWalkedWholeForOneNamespace() {
    for (int minor : new int[] {31, 32}) {
      Inventory inventory =
          new Inventory(Map.of("secrets", new Resource(9_000, 100, Map.of("small", 10.0))), 1);
      ListAnalysis analysis = new ListAnalysis(MinorVersion.of(minor), inventory);
      analysis.take(
          new AuditEvent(
              "list",
              "u",
              "a/1",
              "ip",
              "/api/v1/namespaces/small/secrets",
              "secrets",
              "small",
              "",
              200,
              0));
      assertThat(only(analysis).cost().cacheObjects()).isEqualTo(minor == 31 ? 9_000 : 10);
    }
  }

  @Test
  void retriesWithoutWaitingAreAStorm() {
    ListAnalysis storm = analysis(36);
    ListAnalysis backingOff = analysis(36);
    for (int i = 0; i < 60; i++) {
      storm.take(refused(i * 100_000L));
      backingOff.take(refused(i * 10_000_000L));
    }
    assertThat(only(storm).findings()).containsOnlyKeys(Finding.RETRY_STORM);
    assertThat(only(backingOff).findings()).isEmpty();
  }

  @Test
  void discoveryDocumentByDocumentIsNamedWhenItIsRepeated() {
    ListAnalysis once = analysis(36);
    ListAnalysis repeated = analysis(36);
    for (int i = 0; i < 60; i++) {
      AuditEvent document =
          new AuditEvent(
              "get",
              "u",
              "old/1",
              "ip",
              "/apis/g%d.io/v1?timeout=32s".formatted(i % 20),
              "",
              "",
              "",
              200,
              i);
      repeated.take(document);
      if (i < 20) {
        once.take(document);
      }
    }
    assertThat(only(repeated).findings()).containsOnlyKeys(Finding.COLD_DISCOVERY);
    assertThat(only(once).findings()).isEmpty();
  }

  @Test
  void aMillionNodesAreOneClient() {
    ListAnalysis analysis = analysis(36);
    for (int i = 0; i < 200_000; i++) {
      analysis.take(
          event(
              "get",
              "system:node:n" + i,
              "kubelet/v1.36.3",
              "10.0." + i,
              "/api/v1/nodes/n" + i,
              200));
    }
    assertThat(only(analysis).client()).isEqualTo(new ClientKey("system:node:*", "kubelet"));
  }

  private static ListAnalysis analysis(int minor) {
    return new ListAnalysis(MinorVersion.of(minor), INVENTORY);
  }

  private static ClientReport only(ListAnalysis analysis) {
    assertThat(analysis.clients()).hasSize(1);
    return analysis.clients().getFirst();
  }

  private AuditEvent list(String uri, String namespace) {
    return new AuditEvent(
        "list", "u", "tool/1", "ip", uri, "pods", namespace, "", 200, 10_000_000L * ++seconds);
  }

  private AuditEvent watch(String uri) {
    return new AuditEvent(
        "watch", "u", "tool/1", "ip", uri, "pods", "", "", 200, 10_000_000L * ++seconds);
  }

  private static AuditEvent agent(int instance, long second) {
    return new AuditEvent(
        "list",
        "u",
        "agent/1",
        "10.0.0." + instance,
        "/api/v1/namespaces/small/pods?resourceVersion=0",
        "pods",
        "small",
        "",
        200,
        second * 1_000_000);
  }

  private static AuditEvent refused(long micros) {
    return new AuditEvent("list", "u", "tool/1", "ip", "/api/v1/pods", "pods", "", "", 429, micros);
  }

  private static AuditEvent event(
      String verb, String user, String agent, String ip, String uri, int code) {
    return new AuditEvent(verb, user, agent, ip, uri, "pods", "", "x", code, 0);
  }
}

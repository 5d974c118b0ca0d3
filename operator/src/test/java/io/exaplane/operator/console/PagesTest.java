// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.hosted.LiveLists;
import io.exaplane.operator.schedulerpool.hosted.LiveTree;
import io.exaplane.tuning.lists.MetricsPage;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.quarkus.qute.Engine;
import io.quarkus.qute.HtmlEscaper;
import io.quarkus.qute.ReflectionValueResolver;
import io.quarkus.qute.Template;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PagesTest {
  private static final Set<Right> EVERYTHING = Set.of();
  private final FakeFleet fleet = new FakeFleet();
  private final Engine engine =
      Engine.builder()
          .addDefaults()
          .addValueResolver(new ReflectionValueResolver())
          .addResultMapper(new HtmlEscaper(List.of("text/html")))
          .build();
  private final Pages pages =
      new Pages(template("page"), template("section"), template("login"), template("message"));

  private Template template(String name) {
    String path = "/templates/console/" + name + ".html";
    try (InputStream in = PagesTest.class.getResourceAsStream(path)) {
      return engine.parse(
          new String(in.readAllBytes(), StandardCharsets.UTF_8),
          io.quarkus.qute.Variant.forContentType("text/html"),
          name);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Rights rights(Set<Right> some) {
    return right -> some.equals(EVERYTHING) || some.contains(right);
  }

  private String fleetPage(Set<Right> some) {
    return pages.page(
        "Control planes", "/events", "anna", new FleetPage(fleet).sections(rights(some)));
  }

  @Test
  void theFleetHasThoseFirstThatAreNotAvailable() {
    fleet.planes.add(FakeFleet.plane("a", "up", "True"));
    fleet.planes.add(FakeFleet.plane("b", "down", "False"));
    String page = fleetPage(EVERYTHING);
    assertThat(page).contains("1 of 2 control planes are available.");
    assertThat(page.indexOf("/controlplanes/b/down"))
        .isBetween(0, page.indexOf("/controlplanes/a/up"));
  }

  @Test
  void wordsOfObjectsAreNoHtml() {
    fleet.planes.add(FakeFleet.plane("b", "down", "False"));
    assertThat(fleetPage(EVERYTHING)).contains("Words &lt;b&gt;of").doesNotContain("<b>of");
  }

  @Test
  void theRightOfANamespaceShowsThatNamespaceOnly() {
    fleet.planes.add(FakeFleet.plane("a", "mine", "True"));
    fleet.planes.add(FakeFleet.plane("b", "theirs", "True"));
    assertThat(fleetPage(Set.of(Right.toListPlanes("a"))))
        .contains("mine")
        .doesNotContain("theirs");
    assertThat(fleetPage(Set.of(Right.toListPlanes("none"))))
        .contains("no ControlPlane that you may list")
        .doesNotContain("mine", "theirs");
  }

  /** Who may not get an object must not learn whether it exists. */
  @Test
  void withoutTheRightAControlPlaneDoesNotExist() {
    fleet.planes.add(FakeFleet.plane("a", "mine", "True"));
    PlanePage page = new PlanePage(fleet);
    Set<Right> none = Set.of(Right.toListPlanes("a"));
    assertThat(page.sections("a", "mine", rights(none))).isEmpty();
    assertThat(page.sections("a", "other", rights(EVERYTHING))).isEmpty();
    assertThat(page.sections("a", "mine", rights(EVERYTHING))).isPresent();
  }

  @Test
  void eachPartNeedsItsOwnRight() {
    fleet.planes.add(FakeFleet.plane("a", "mine", "True"));
    fleet.stores.add(store("mine"));
    fleet.tuning = Optional.of("items: [{component: kube-apiserver, name: x}]");
    Set<Right> some = Set.of(Right.toGetPlane("a", "mine"));
    String page = planePage(some);
    assertThat(page)
        .contains("Words &lt;b&gt;of")
        .contains("right to list storeshards", "right to get configmaps")
        .doesNotContain("mine-default", "kube-apiserver: 1 values");
    assertThat(planePage(EVERYTHING))
        .contains("mine-default", "kube-apiserver: 1 values", "StoreUnavailable");
  }

  private String planePage(Set<Right> some) {
    return pages.page(
        "a/mine",
        "/events",
        "anna",
        new PlanePage(fleet).sections("a", "mine", rights(some)).orElseThrow());
  }

  private static StoreShard store(String plane) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {namespace: a, name: %1$s-default, labels: {exaplane.io/control-plane: %1$s}, uid: s, resourceVersion: "1"}
        spec: {tls: {secretRef: {name: x}}}
        status:
          conditions:
          - {type: Ready, status: "False", reason: StoreUnavailable, message: Check it., lastTransitionTime: "2026-11-28T10:00:00Z"}
        """
            .formatted(plane),
        StoreShard.class);
  }

  /** The policy of the pages lets none of it run. */
  @Test
  void nothingIsInline() {
    fleet.planes.add(FakeFleet.plane("a", "mine", "True"));
    Stream.of(
            fleetPage(EVERYTHING),
            planePage(EVERYTHING),
            pages.login("No."),
            pages.message("t", "x"))
        .forEach(
            page ->
                assertThat(page)
                    .doesNotContainPattern("<script(?![^>]* src=\"/assets/)")
                    .doesNotContainPattern(
                        "(?i)<style|\\sstyle=|\\son[a-z]+=|javascript:|https?://"));
  }

  @Test
  void eachSectionHasThePlaceWhereItsChangesGo() {
    fleet.planes.add(FakeFleet.plane("a", "mine", "True"));
    String page = planePage(EVERYTHING);
    new PlanePage(fleet)
        .sections("a", "mine", rights(EVERYTHING))
        .orElseThrow()
        .forEach(each -> assertThat(page).contains("sse-swap=\"%s\"".formatted(each.name())));
  }

  /** What the browser never had a place for would never be shown. */
  @Test
  void aPageHasTheSameSectionsBeforeAndAfterTheFirstLook() {
    fleet.planes.add(FakeFleet.plane("a", "mine", "True"));
    List<String> after = names();
    fleet.planes.getFirst().setStatus(null);
    assertThat(names()).isEqualTo(after);
  }

  private List<String> names() {
    return new PlanePage(fleet)
        .sections("a", "mine", rights(EVERYTHING)).orElseThrow().stream()
            .map(Section::name)
            .toList();
  }

  @Test
  void theSlowestMembersOfATreeAreNamed() {
    fleet.planes.add(FakeFleet.plane("a", "mine", "True"));
    fleet.schedulers.add(
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: SchedulerPool
            metadata: {namespace: a, name: pool, uid: p, resourceVersion: "1"}
            spec: {controlPlaneRef: {name: mine}}
            status: {leader: pool-root-0}
            """,
            SchedulerPool.class));
    assertThat(planePage(EVERYTHING)).doesNotContain("Slowest members");
    fleet.tree =
        Optional.of(
            new LiveTree(
                Instant.EPOCH,
                List.of(
                    new LiveTree.Member("pool-shard-3", true, 1_200, 900, 7_000),
                    new LiveTree.Member("pool-shard-1", true, 1_300, 12_345, 100))));
    String page = planePage(EVERYTHING);
    assertThat(page)
        .contains("Slowest members of pool", "silent for 7 s; check its pod", "12 ms", "0.9 ms");
    assertThat(page.indexOf("pool-shard-3")).isBetween(0, page.indexOf("pool-shard-1"));
  }

  @Test
  void listsThatCostMostHaveACauseAndAnAction() {
    fleet.planes.add(FakeFleet.plane("a", "mine", "True"));
    assertThat(planePage(EVERYTHING)).contains("No kube-apiserver has told the cost of LISTs yet");
    fleet.lists =
        Optional.of(
            new LiveLists(
                Instant.EPOCH,
                List.of(
                    new LiveLists.Resource(
                        new MetricsPage.Lists("pods", 5_000, 40, 200_000, 3, 9, 200_000), 250),
                    new LiveLists.Resource(
                        new MetricsPage.Lists("secrets", 900, 0, 0, 50, 45_000, 50), 0))));
    assertThat(planePage(EVERYTHING))
        .contains("Most objects are read from stores.", "Set resourceVersion=0 if older data")
        .contains("Selectors find few objects of many.", "List the namespaces that matter")
        .contains("200,000", "45,000", "kubectl exaplane lists --audit-log FILE");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.Hashes;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OrderTest {
  private static Manifest one(
      String apiVersion, String kind, String namespace, String name, String... annotations) {
    byte[] body =
        ("{\"spec\":{\"group\":\"example.com\",\"names\":{\"kind\":\"Widget\"},"
                + "\"scope\":\"Namespaced\"}}")
            .getBytes(StandardCharsets.UTF_8);
    Gvk gvk = Gvk.of(apiVersion, kind);
    return new Manifest(
        gvk,
        new ObjectKey(gvk.group(), kind, namespace, name),
        body,
        Hashes.of(body),
        annotations.length == 0 ? Map.of() : Map.of(annotations[0], annotations[1]),
        new Manifest.Source("x.yaml", 1));
  }

  private static Order.Plan plan(Manifest... manifests) {
    return Order.of(List.of(manifests), Definition::of);
  }

  @Test
  void kindsHaveAnOrderWithoutGaps() {
    Order.Plan plan =
        plan(
            one("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", "hook"),
            one("apps/v1", "Deployment", "shop", "web"),
            one("v1", "ConfigMap", "shop", "settings"),
            one("rbac.authorization.k8s.io/v1", "Role", "shop", "reader"),
            one("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "widgets.example.com"),
            one("v1", "Namespace", "", "shop"));
    assertThat(plan.ranks()).containsExactly(5, 4, 3, 2, 1, 0);
    assertThat(plan.rankCount()).isEqualTo(6);
    assertThat(plan.problems()).isEmpty();
  }

  @Test
  void objectsNeedTheirNamespaceAndTheirDefinition() {
    Order.Plan plan =
        plan(
            one("example.com/v1", "Widget", "shop", "w"),
            one("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "widgets.example.com"),
            one("v1", "Namespace", "", "shop"));
    assertThat(plan.needs()[0]).containsExactlyInAnyOrder(2, 1);
    assertThat(plan.waitsFor()[0]).isEmpty();
  }

  @Test
  void wavesComeBeforeKindsAndRanksFollowDependencies() {
    Order.Plan plan =
        plan(
            one("v1", "ConfigMap", "a", "late", Order.WAVE, "2"),
            one("apps/v1", "Deployment", "a", "early", Order.WAVE, "-1"),
            one("v1", "ConfigMap", "a", "x", Order.DEPENDS_ON, "apps/namespaces/a/Deployment/y"),
            one("apps/v1", "Deployment", "a", "y", Order.WAVE, "1"));
    assertThat(plan.ranks()).containsExactly(2, 0, 1, 1);
    assertThat(plan.waitsFor()[2]).containsExactly(3);
  }

  @Test
  void cyclesAreNamedAndOthersGoOn() {
    Order.Plan plan =
        plan(
            one("v1", "ConfigMap", "a", "x", Order.DEPENDS_ON, "/namespaces/a/ConfigMap/y"),
            one("v1", "ConfigMap", "a", "y", Order.DEPENDS_ON, "/namespaces/a/ConfigMap/x"),
            one("v1", "ConfigMap", "a", "z"));
    assertThat(plan.problems()).containsOnlyKeys(0, 1);
    assertThat(plan.problems().get(0))
        .contains(
            "it is in a cycle: ConfigMap a/x waits for ConfigMap a/y waits for ConfigMap a/x");
  }

  @Test
  void wordsAboutALongCycleStayShort() {
    String name = "n".repeat(240) + "-";
    Manifest[] all = new Manifest[200];
    for (int at = 0; at < all.length; at++) {
      String next = "/namespaces/a/ConfigMap/" + name + (at + 1) % 50;
      all[at] = one("v1", "ConfigMap", "a", name + at, Order.DEPENDS_ON, next);
    }
    Order.Plan plan = plan(all);
    assertThat(plan.problems()).hasSize(200);
    assertThat(plan.problems().get(0))
        .contains(
            "cycle", "waits for others, and the last one waits for ConfigMap a/" + name + "0;");
    assertThat(plan.problems().values()).allMatch(words -> words.length() < 2_500);
    String junk = "x".repeat(100_000) + "\u001b";
    assertThat(plan(one("v1", "ConfigMap", "a", "x", Order.WAVE, junk)).problems().get(0))
        .hasSizeLessThan(400);
  }

  @Test
  void namesThatLeadNowhereAndBadWavesAreNamed() {
    Order.Plan plan =
        plan(
            one("v1", "ConfigMap", "a", "x", Order.DEPENDS_ON, "/namespaces/a/ConfigMap/none"),
            one("v1", "ConfigMap", "a", "y", Order.DEPENDS_ON, "nonsense"),
            one("v1", "ConfigMap", "a", "z", Order.WAVE, "1001"));
    assertThat(plan.problems().get(0)).contains("must be an object of the same source");
    assertThat(plan.problems().get(1)).contains("'nonsense' must be GROUP/namespaces");
    assertThat(plan.problems().get(2)).contains("'1001' must be an integer from -1000 to 1000");
  }
}

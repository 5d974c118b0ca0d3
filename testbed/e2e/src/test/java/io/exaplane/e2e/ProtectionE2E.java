// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Names;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Toleration;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Who deletes a control plane, a store or their CRDs says so first, and a node ends a store last.
 * Nothing is deleted here. {@link QuietE2E} restarts the operator, and looks at the policy then.
 */
@Order(12)
@Tag("api")
class ProtectionE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String POLICY = "exaplane-deletion-protection";
  private static final String SYSTEM = "system:serviceaccount:kube-system:";

  /** On objects that are paused, so that the operator does nothing for them. */
  @BeforeAll
  static void objects() {
    Demo.up();
    Bed.apply(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: ControlPlane
        metadata: {name: guarded}
        spec: {version: "%s", maxNodes: 10, pausedUntil: "true"}
        """
            .formatted(Bed.VERSION));
  }

  @AfterAll
  static void gone() {
    Bed.delete(Demo.NAMESPACE, List.of("guarded"), "--timeout=300s");
  }

  private record Ask(String what, List<String> command, String refusal) {
    static Ask allowed(String what, String... command) {
      return new Ask(what, List.of(command), null);
    }

    static Ask refused(String what, String refusal, String... command) {
      return new Ask(what, List.of(command), refusal);
    }
  }

  @TestFactory
  @Order(1)
  Stream<DynamicTest> whoDeletesSaysSoFirst() {
    String gc = SYSTEM + "generic-garbage-collector";
    String namespaces = SYSTEM + "namespace-controller";
    String shard =
        "If that is meant: kubectl -n default annotate storeshard demo-default exaplane.io/allow-deletion=demo-default"
            + " && kubectl -n default delete storeshard demo-default";
    String cpl =
        "If that is meant: kubectl -n default annotate controlplane demo exaplane.io/allow-deletion=demo"
            + " && kubectl -n default delete controlplane demo";
    return Stream.of(
            Ask.refused("a control plane", cpl, "cpl", "demo"),
            Ask.refused("a store", shard, "shard", "demo-default"),
            Ask.refused("all stores", "demo-events", "shard", "--all"),
            Ask.refused(
                "the definition of control planes",
                "kubectl annotate crd controlplanes.exaplane.io exaplane.io/allow-deletion=controlplanes.exaplane.io",
                "crd",
                "controlplanes.exaplane.io"),
            Ask.refused(
                "the definition of stores",
                "kubectl annotate crd storeshards.exaplane.io",
                "crd",
                "storeshards.exaplane.io"),
            Ask.allowed("another definition", "crd", "schedulerpools.exaplane.io"),
            Ask.refused(
                "another definition whose owner is gone",
                "kubectl annotate crd schedulerpools.exaplane.io",
                "crd",
                "schedulerpools.exaplane.io",
                "--as=" + gc),
            Ask.allowed("a store whose owner is gone", "shard", "demo-default", "--as=" + gc),
            Ask.allowed(
                "a store in a namespace that goes", "shard", "demo-default", "--as=" + namespaces),
            Ask.allowed("a control plane in one", "cpl", "demo", "--as=" + namespaces),
            Ask.refused(
                "the collector is not asked for control planes", cpl, "cpl", "demo", "--as=" + gc))
        .map(ask -> DynamicTest.dynamicTest(ask.what(), () -> check(ask)));
  }

  @Test
  @Order(2)
  void anAnnotationWithTheNameOrTheFieldLetsItGo() {
    String refusal = "ControlPlane default/guarded is protected";
    check(Ask.refused("as it was made", refusal, "cpl", "guarded"));
    annotate("other");
    check(Ask.refused("another's name", refusal, "cpl", "guarded"));
    annotate("guarded");
    check(Ask.allowed("its own name", "cpl", "guarded"));
    Bed.kubectl("annotate", "cpl", "guarded", Names.ALLOW_DELETION + "-");
    check(Ask.refused("no more", refusal, "cpl", "guarded"));
    Demo.patch("guarded", Demo.NAMESPACE, "{\"spec\":{\"deletionProtection\":false}}");
    check(Ask.allowed("not protected", "cpl", "guarded"));
    Demo.patch("guarded", Demo.NAMESPACE, "{\"spec\":{\"deletionProtection\":null}}");
    check(Ask.refused("by default", refusal, "cpl", "guarded"));
  }

  @Test
  @Order(3)
  void aNodeEndsACriticalStoreLast() {
    Pod store = Bed.CLIENT.pods().inNamespace(Demo.NAMESPACE).withName("demo-default-0").get();
    assertThat(store.getStatus().getQosClass()).isEqualTo("Guaranteed");
    assertThat(store.getSpec().getPriorityClassName()).isEqualTo("exaplane-store-critical");
    assertThat(store.getSpec().getTolerations())
        .filteredOn(toleration -> toleration.getTolerationSeconds() == null)
        .extracting(Toleration::getKey)
        .contains("node.kubernetes.io/unreachable");
  }

  /** Makes every deletion allowed: only an operator that starts puts that right. */
  static void breakThePolicy() {
    Bed.kubectl(
        "patch",
        "validatingadmissionpolicybinding",
        POLICY,
        "--type=merge",
        "--patch={\"spec\":{\"validationActions\":[\"Warn\"]}}");
    Bed.kubectl("delete", "validatingadmissionpolicy", POLICY);
  }

  static void awaitThePolicy() {
    Bed.await(
        "deleting is refused again",
        PATIENCE,
        () -> delete(List.of("cpl", Demo.NAME)).output().contains("is protected"));
  }

  private static void check(Ask ask) {
    String[] command = ask.command().toArray(String[]::new);
    Bed.Run run = Retries.run(() -> delete(ask.command()), command);
    if (ask.refusal() == null) {
      assertThat(run.exit()).as("%s: %s", ask.what(), run.output()).isZero();
    } else {
      assertThat(run.exit()).as("%s: %s", ask.what(), run.output()).isNotZero();
      assertThat(run.output()).contains(ask.refusal());
    }
  }

  private static void annotate(String value) {
    Bed.kubectl("annotate", "--overwrite", "cpl", "guarded", Names.ALLOW_DELETION + "=" + value);
  }

  private static Bed.Run delete(List<String> command) {
    boolean impersonates = command.stream().anyMatch(word -> word.startsWith("--as="));
    return Bed.kubectl(
        Bed.KUBECONFIG,
        Stream.of(
                Stream.of("delete", "--dry-run=server"),
                command.stream(),
                // That the user may do it at all is not the question here.
                impersonates ? Stream.of("--as-group=system:masters") : Stream.<String>empty())
            .flatMap(words -> words)
            .toArray(String[]::new));
  }
}

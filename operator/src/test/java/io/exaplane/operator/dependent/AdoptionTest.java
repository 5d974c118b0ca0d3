// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.dependent.Adoption.Verdict;
import io.exaplane.operator.outcome.NeedsPersonException;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Line 32: every kind of child × whose it says it is × the labels that it has. */
class AdoptionTest {
  private static final ControlPlane OWNER = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");
  private static final List<Class<? extends HasMetadata>> KINDS =
      List.of(
          Service.class,
          ConfigMap.class,
          Deployment.class,
          StatefulSet.class,
          PodDisruptionBudget.class,
          StoreShard.class);
  private static final String RIGHT =
      "{app.kubernetes.io/managed-by: exaplane, exaplane.io/control-plane: demo}";

  private record Case(String owner, String labels, Verdict verdict) {}

  private static final List<Case> CASES =
      List.of(
          new Case("none", "right", Verdict.RESTORED),
          new Case("none", "more", Verdict.RESTORED),
          new Case("none", "wrong", Verdict.OF_OTHERS),
          new Case("none", "some", Verdict.OF_OTHERS),
          new Case("none", "missing", Verdict.OF_OTHERS),
          new Case("dead UID", "right", Verdict.RESTORED),
          new Case("dead UID", "wrong", Verdict.OF_OTHERS),
          new Case("own", "right", Verdict.OWN),
          new Case("own", "missing", Verdict.OWN),
          new Case("other kind", "right", Verdict.OF_OTHERS),
          new Case("other name", "right", Verdict.OF_OTHERS),
          new Case("other group", "right", Verdict.OF_OTHERS),
          new Case("own and other", "right", Verdict.OWN),
          new Case("dead UID and other", "right", Verdict.OF_OTHERS));

  static Stream<Arguments> everyKindAndCase() {
    return KINDS.stream().flatMap(kind -> CASES.stream().map(c -> Arguments.of(kind, c)));
  }

  @ParameterizedTest
  @MethodSource("everyKindAndCase")
  void isJudgedByOwnerAndLabels(Class<? extends HasMetadata> kind, Case c) {
    HasMetadata there = there(kind, c);
    HasMetadata desired = object(kind, RIGHT);
    assertThat(Adoption.judge(there, desired, OWNER)).isEqualTo(c.verdict());

    List<String> done = new ArrayList<>();
    if (c.verdict() == Verdict.OF_OTHERS) {
      assertThatThrownBy(() -> settle(desired, there, done))
          .isInstanceOf(NeedsPersonException.class)
          .hasMessageContaining("%s x existed before".formatted(there.getKind()))
          .hasMessageContaining("leaves it alone. Delete it: 'kubectl -n ns delete ")
          .hasMessageContaining(
              "label --overwrite %s x app.kubernetes.io/managed-by=exaplane exaplane.io/control-plane=demo"
                  .formatted(there.getPlural()));
      assertThat(done).isEmpty();
    } else {
      settle(desired, there, done);
      assertThat(done).containsExactly(c.verdict() == Verdict.OWN ? "created" : "owned");
    }
  }

  @Test
  void whatIsNotThereIsMade() {
    List<String> done = new ArrayList<>();
    settle(object(Service.class, RIGHT), null, done);
    assertThat(done).containsExactly("created");
  }

  @Test
  void whatLeavesIsLeftToTheApiServer() {
    HasMetadata there = object(Service.class, "{}");
    there.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
    assertThat(Adoption.judge(there, object(Service.class, RIGHT), OWNER)).isEqualTo(Verdict.OWN);
  }

  @Test
  void theOwnerTakesThePlaceOfTheDeadOne() {
    HasMetadata there = there(Service.class, new Case("dead UID", "right", Verdict.RESTORED));
    there.getMetadata().setUid("s");
    there.getMetadata().setResourceVersion("7");
    Object patch = Serialization.unmarshal(Adoption.ownership(there, OWNER), Map.class);
    assertThat(patch)
        .isEqualTo(
            Map.of(
                "metadata",
                Map.of(
                    "uid",
                    "s",
                    "resourceVersion",
                    "7",
                    "ownerReferences",
                    List.of(
                        Map.of(
                            "apiVersion",
                            "exaplane.io/v1alpha1",
                            "kind",
                            "ControlPlane",
                            "name",
                            "demo",
                            "uid",
                            "u")))));
  }

  private static void settle(HasMetadata desired, HasMetadata there, List<String> done) {
    Adoption.settle(
        desired,
        OWNER,
        there,
        _ -> done.add("owned"),
        wanted -> {
          done.add("created");
          return wanted;
        });
  }

  private static HasMetadata there(Class<? extends HasMetadata> kind, Case c) {
    HasMetadata there =
        object(
            kind,
            switch (c.labels()) {
              case "right" -> RIGHT;
              case "more" ->
                  "{app.kubernetes.io/managed-by: exaplane, exaplane.io/control-plane: demo, velero.io/restore-name: r}";
              case "wrong" ->
                  "{app.kubernetes.io/managed-by: exaplane, exaplane.io/control-plane: other}";
              case "some" -> "{app.kubernetes.io/managed-by: exaplane}";
              default -> "{}";
            });
    for (String owner : c.owner().split(" and ")) {
      switch (owner) {
        case "own" -> own(there, "exaplane.io/v1alpha1", "ControlPlane", "demo", "u");
        case "dead UID" -> own(there, "exaplane.io/v1alpha1", "ControlPlane", "demo", "dead");
        case "other", "other kind" -> own(there, "apps/v1", "Deployment", "demo", "d");
        case "other name" -> own(there, "exaplane.io/v1alpha1", "ControlPlane", "demo2", "v");
        case "other group" -> own(there, "example.org/v1", "ControlPlane", "demo", "w");
        default -> {}
      }
    }
    return there;
  }

  private static void own(
      HasMetadata there, String apiVersion, String kind, String name, String uid) {
    there
        .getMetadata()
        .getOwnerReferences()
        .add(
            new OwnerReferenceBuilder()
                .withApiVersion(apiVersion)
                .withKind(kind)
                .withName(name)
                .withUid(uid)
                .build());
  }

  private static <R extends HasMetadata> R object(Class<R> kind, String labels) {
    return Serialization.unmarshal(
        """
        apiVersion: %s
        kind: %s
        metadata: {name: x, namespace: ns, labels: %s}
        """
            .formatted(HasMetadata.getApiVersion(kind), HasMetadata.getKind(kind), labels),
        kind);
  }
}

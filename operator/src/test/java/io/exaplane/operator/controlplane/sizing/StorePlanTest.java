// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import static io.exaplane.operator.controlplane.sizing.Sizes.made;
import static io.exaplane.operator.controlplane.sizing.Sizes.routes;
import static io.exaplane.operator.controlplane.sizing.Sizes.shard;
import static io.exaplane.operator.controlplane.sizing.Sizes.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageDeletion;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.outcome.NeedsPersonException;
import io.exaplane.operator.status.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which stores there are, and what lives in them: chosen once. */
class StorePlanTest {
  @Test
  void theModelChoosesRoutesWhenNoStoreIsThere() {
    assertThat(routes(made(spec(100), List.of()))).containsExactly("events");
    Sized large = made(spec(60_000), List.of());
    assertThat(routes(large)).containsExactly("events", "leases", "pods", "nodes");
    assertThat(StorageSpec.stores(large.controlPlane().spec().storage()))
        .extracting(StoreTemplate::name)
        .containsExactly("default", "events", "leases", "pods", "nodes");
    assertThat(large.missingRoutes()).isEmpty();
  }

  @Test
  void theChoiceStaysAndGrowthThatWantsAnotherIsReported() {
    Sized small = made(spec(100), List.of());
    StoreShard store = shard("u", StorePlan.text(small.controlPlane().spec().storage()));
    Sized grown = made(spec(60_000), List.of(store));
    assertThat(routes(grown)).containsExactly("events");
    assertThat(grown.missingRoutes())
        .extracting(Object::toString)
        .containsExactly("coordination.k8s.io/leases", "/pods", "/nodes");
    Verdict verdict = SizingValidCondition.of(grown, "demo-tuning");
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.ReshardNeeded);
    assertThat(verdict.message())
        .contains(
            "coordination.k8s.io/leases",
            "and changed nothing",
            "create a ControlPlaneTask with reshard");
    Sized shrunk =
        made(
            spec(100),
            List.of(
                shard(
                    "u",
                    StorePlan.text(
                        made(spec(60_000), List.of()).controlPlane().spec().storage()))));
    assertThat(routes(shrunk))
        .as("a smaller cluster keeps its stores")
        .containsExactly("events", "leases", "pods", "nodes");
  }

  @Test
  void storesOfOneThatWasRemovedAndStoresFromBeforeTheModelChooseNothing() {
    String others = StorePlan.text(made(spec(60_000), List.of()).controlPlane().spec().storage());
    assertThat(routes(made(spec(100), List.of(shard("another", others)))))
        .containsExactly("events");
    assertThat(routes(made(spec(60_000), List.of(shard("u", null))))).containsExactly("events");
  }

  @Test
  void storesWhoseAnnotationsSomebodyRemovedStillSayWhatWasChosen() {
    StoreShard leases = shard("u", null);
    leases.getMetadata().setLabels(Map.of(ControlPlaneNames.STORE_LABEL, "leases"));
    assertThat(routes(made(spec(100), List.of(shard("u", null), leases))))
        .containsExactly("events", "leases");
  }

  @Test
  void whatTheUserRoutesIsLeftAlone() {
    Sized own =
        made(
            Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 2000, storage: {stores: [{name: default}]}}"),
            List.of());
    assertThat(routes(own)).isEmpty();
    assertThat(SizingValidCondition.of(own, "t").reason()).isEqualTo(Reason.ReshardNeeded);
  }

  /** Words about the data alone leave the choice to the model. */
  @Test
  void whoSaysWhatBecomesOfTheDataChoosesNoRoutes() {
    Sized sized =
        made(
            Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 60000, storage: {deletion: Delete}}"),
            List.of());
    assertThat(routes(sized)).containsExactly("events", "leases", "pods", "nodes");
    assertThat(sized.controlPlane().spec().storage().deletion()).isEqualTo(StorageDeletion.Delete);
  }

  @Test
  void theRoutesOfDataThatIsThereComeBeforeTheModels() {
    String large = StorePlan.text(made(spec(60_000), List.of()).controlPlane().spec().storage());
    Sized small =
        Sized.of(
            spec(100),
            true,
            false,
            new Sized.Before(
                List.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                () -> List.of(Sizes.LARGE),
                () -> Optional.of(large)),
            Instant.EPOCH);
    assertThat(routes(small)).containsExactly("events", "leases", "pods", "nodes");
    assertThat(StorePlan.isSame(large, small.controlPlane().spec().storage())).isTrue();
    assertThat(StorePlan.isSame(large, made(spec(100), List.of()).controlPlane().spec().storage()))
        .isFalse();
  }

  @Test
  void annotationsThatSomebodyChangedAreNotFollowed() {
    String right = StorePlan.text(made(spec(60_000), List.of()).controlPlane().spec().storage());
    StoreShard leases = shard("u", right);
    leases.getMetadata().setLabels(Map.of(ControlPlaneNames.STORE_LABEL, "leases"));
    assertThatThrownBy(() -> made(spec(60_000), List.of(leases, shard("u", "[]"))))
        .isInstanceOf(NeedsPersonException.class)
        .hasMessageContaining("the operator changes nothing");
    leases.getMetadata().setAnnotations(Map.of(StoreNames.ROUTES_ANNOTATION, "[]"));
    assertThatThrownBy(() -> made(spec(60_000), List.of(leases)))
        .hasMessageContaining("exaplane.io/routes");
  }

  @Test
  void storesThatAreAllGoneAreMadeAgainAsStatusShowsThem() {
    ControlPlane grown = spec(60_000);
    grown.setStatus(
        new ControlPlaneStatus(
            1L,
            new ControlPlaneStatus.Versions("1.36.3", "1.36.3", "1.36.3"),
            null,
            null,
            null,
            null,
            null,
            null,
            new ControlPlaneStatus.Stores(
                "0/2",
                List.of(
                    new ControlPlaneStatus.Store(
                        "default", "demo-default", null, false, null, null),
                    new ControlPlaneStatus.Store(
                        "events",
                        "demo-events",
                        null,
                        false,
                        null,
                        List.of(new ResourceRef("", "events"))))),
            null,
            null,
            null,
            null));
    assertThat(routes(made(grown, List.of()))).containsExactly("events");
  }
}

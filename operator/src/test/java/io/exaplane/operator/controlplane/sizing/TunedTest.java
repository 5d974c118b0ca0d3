// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import static io.exaplane.operator.controlplane.sizing.Sizes.made;
import static io.exaplane.operator.controlplane.sizing.Sizes.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.status.Verdict;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What components are started with: the model's values, and the user's in their place. */
class TunedTest {
  @Test
  void flagsThatTheSchedulerIgnoresBesideItsFileAreInIt() {
    Tuned tuned =
        made(
                Fixtures.controlPlane(
                    "{version: 1.36.3, maxNodes: 5000, scheduler: {extraArgs: [{name: kube-api-qps, value: '700'}, {name: profiling, value: 'false'}, {name: v, value: '4'}]}}"),
                List.of())
            .tuned()
            .orElseThrow();
    assertThat(tuned.flags(Component.KUBE_SCHEDULER)).containsExactly("--v=4");
    assertThat(tuned.schedulerConfiguration().orElseThrow())
        .containsEntry("enableProfiling", false)
        .extractingByKey("clientConnection")
        .isEqualTo(Map.of("qps", 700L));
    assertThat(tuned.overrides())
        .extracting(OverriddenValue::toString)
        .contains(
            "kube-scheduler clientConnection.qps is 700 instead of 100 (spec.scheduler.extraArgs)");
  }

  /** Of our own stores kube-apiserver's watch cache is the limit, of an etcd the store. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          storage: {stores: [{name: default}]}                                                                  | 100
          storage: {stores: [{name: default}, {name: events, engine: Etcd, criticality: BestEffort}]}           | 100
          storage: {stores: [{name: default, engine: Etcd}]}                                                    | 160
          """)
  void leasesAreAsLongAsTheStoresThatTheyAreInMakeThem(String storage, long seconds) {
    Tuned tuned =
        made(
                Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1000000, " + storage + "}"),
                List.of())
            .tuned()
            .orElseThrow();
    assertThat(tuned.tuning().estimate().heartbeat().leaseSeconds()).isEqualTo(seconds);
  }

  @Test
  void aStoreThatIsSmallerThanTheModelThinksOfIsNoReasonToRefuse() {
    assertThat(
            made(
                    Fixtures.controlPlane(
                        "{version: 1.36.3, maxNodes: 100, storage: {stores: [{name: default, memory: {quota: 32Mi}}]}}"),
                    List.of())
                .tuned())
        .isPresent();
  }

  @Test
  void overridesTakeThePlaceOfTheModelsValuesAndAreNamed() {
    Sized sized =
        made(
            Fixtures.controlPlane(
                """
                {version: 1.36.3, maxNodes: 2000,
                 apiServer: {
                   tuning: {maxRequestsInflight: 800, goawayChance: '0.002', goGC: 300, goMemLimitPercent: 90},
                   extraArgs: [{name: event-ttl, value: 2h}, {name: feature-gates, value: 'DetectCacheInconsistency=false'}, {name: profiling, value: 'false'}]}}
                """),
            List.of());
    Tuned tuned = sized.tuned().orElseThrow();
    assertThat(tuned.flags(Component.KUBE_APISERVER))
        .contains(
            "--max-requests-inflight=800",
            "--max-mutating-requests-inflight=500",
            "--goaway-chance=0.002",
            "--feature-gates=DetectCacheInconsistency=false")
        .endsWith("--event-ttl=2h", "--profiling=false")
        .doesNotHaveDuplicates();
    assertThat(tuned.overrides())
        .extracting(OverriddenValue::toString)
        .containsExactly(
            "kube-apiserver max-requests-inflight is 800 instead of 1500 (spec.apiServer.tuning.maxRequestsInflight)",
            "kube-apiserver goaway-chance is 0.002 instead of 0.001 (spec.apiServer.tuning.goawayChance)",
            "kube-apiserver GOGC is 300 instead of 100 (spec.apiServer.tuning.goGC)",
            "kube-apiserver GOMEMLIMIT is 90% of the limit instead of 85% (spec.apiServer.tuning.goMemLimitPercent)",
            "kube-apiserver event-ttl is 2h instead of the default (spec.apiServer.extraArgs)");
    assertThat(tuned.tuning().estimate().concurrency().total())
        .as("the seats that priority levels share")
        .isEqualTo(1_300);
    Verdict verdict = SizingValidCondition.of(sized, "demo-tuning");
    assertThat(verdict.met()).isTrue();
    assertThat(verdict.reason()).isEqualTo(Reason.Overridden);
    assertThat(verdict.message()).contains("max-requests-inflight is 800 instead of 1500");
    assertThat(TuningReport.forOperators(sized).get(TuningReport.TUNING))
        .contains("overrides:", "field: spec.apiServer.tuning.goGC", "notApplied: []");
  }

  @Test
  void aWarningOfTheModelIsSaid() {
    Verdict verdict =
        SizingValidCondition.of(
            made(
                Fixtures.controlPlane(
                    "{version: 1.36.3, maxNodes: 100, apiServer: {tuning: {maxRequestsInflight: 9000}}}"),
                List.of()),
            "t");
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.LimitsExceeded);
    assertThat(verdict.message()).contains("RequestsInFlightExceedMemory", "overridden");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | 50 | 136",
        "{customResourceDefinitions: 2000, definitionProperties: 60} | 2000 | 1533",
        "{customResourceDefinitions: 190, definitionProperties: 5000, definitionVersions: 2} | 190 | 8594",
      })
  void definitionsTakeMemoryBySchemaAndVersions(String sizing, int count, int mebibytes) {
    Tuned tuned = made(Fixtures.controlPlane(sized(sizing, "")), List.of()).tuned().orElseThrow();
    assertThat(tuned.tuning().estimate().shape().number(Input.CUSTOM_RESOURCE_DEFINITIONS))
        .isEqualTo(count);
    assertThat(tuned.tuning().estimate().memory().definitions() / (1 << 20))
        .isCloseTo(mebibytes, within(1.0));
  }

  private static String sized(String sizing, String more) {
    return "{version: 1.36.3, maxNodes: 100, sizing: %s%s}".formatted(sizing, more);
  }

  @Test
  void definitionsThatDoNotFitAreSaidWithWhatTheyTake() {
    String small = ", apiServer: {resources: {limits: {memory: 2Gi}}}";
    String many = "{customResourceDefinitions: 2000, definitionProperties: 60}";
    Verdict verdict =
        SizingValidCondition.of(
            made(Fixtures.controlPlane(sized(many, small)), List.of()), "demo-tuning");
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.LimitsExceeded);
    assertThat(verdict.message())
        .contains("ApiServerUndersized", "of which 2,000 CustomResourceDefinitions take 1.5 GiB");
    assertThat(
            SizingValidCondition.of(
                    made(Fixtures.controlPlane(sized("{}", small)), List.of()), "demo-tuning")
                .message())
        .doesNotContain("ApiServerUndersized");
  }

  @Test
  void aSourceWhoseDefinitionsDoNotFitIsSaidWithNumbers() {
    Sized sized = made(Fixtures.controlPlane(sized("{}", "")), List.of());
    assertThat(SizingValidCondition.of(sized, List.of()).orElseThrow().met()).isTrue();
    List<AddonStatus> addons =
        List.of(addon("a", "AsExpected", null), addon("b", "DefinitionsDoNotFit", "300 take X."));
    Verdict verdict = SizingValidCondition.of(sized, addons).orElseThrow();
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.DefinitionsDoNotFit);
    assertThat(verdict.message()).startsWith("add-on b: 300 take X. ").contains("ConfigMap");
  }

  private static AddonStatus addon(String name, String reason, String message) {
    return Serialization.unmarshal(
        "name: %s\nreason: %s\nmessage: %s".formatted(name, reason, message), AddonStatus.class);
  }

  @Test
  void theOtherInputsOfTheModelAreTheSpecs() {
    String sizing = "{groupVersions: 700, customResources: 90000, customResourceBytes: 4096}";
    Shape shape =
        made(Fixtures.controlPlane(sized(sizing, "")), List.of())
            .tuned()
            .orElseThrow()
            .tuning()
            .estimate()
            .shape();
    assertThat(shape.number(Input.GROUP_VERSIONS)).isEqualTo(700);
    assertThat(shape.number(Input.CUSTOM_RESOURCES)).isEqualTo(90_000);
    assertThat(shape.number(Input.CUSTOM_RESOURCE_BYTES)).isEqualTo(4_096);
  }

  @Test
  void aSizeThatWaitsIsSaidWithItsTime() {
    ControlPlane growing = spec(5000);
    growing.setStatus(Serialization.unmarshal("sizing: {maxNodes: 100}", ControlPlaneStatus.class));
    Verdict verdict =
        SizingValidCondition.of(
            Sizes.sized(
                growing,
                List.of(),
                Sizes.running(made(spec(100), List.of())),
                () -> List.of(Sizes.LARGE)),
            "t");
    assertThat(verdict.met()).isTrue();
    assertThat(verdict.reason()).isEqualTo(Reason.ChangeDelayed);
    assertThat(verdict.message())
        .contains("sized for 100 nodes; the size changes to 5000 nodes at 1970-01-01T00:00:30Z");
  }

  @Test
  void aFlagThatOnlyTheNextVersionHasWaitsForIt() {
    var spec =
        Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 100, apiServer: {extraArgs: [{name: tls-curve-preferences, value: '4588'}, {name: feature-gates, value: 'ShardedListAndWatch=true'}]}}")
            .getSpec();
    assertThat(
            Tuned.of(spec, "1.36.3", OptionalDouble.empty(), new Model())
                .flags(Component.KUBE_APISERVER))
        .contains("--tls-curve-preferences=4588", "--feature-gates=ShardedListAndWatch=true");
    assertThat(
            Tuned.of(spec, "1.35.4", OptionalDouble.empty(), new Model())
                .flags(Component.KUBE_APISERVER))
        .noneMatch(flag -> flag.startsWith("--tls-curve") || flag.contains("Sharded"));
  }

  @Test
  void clientsWithAFastNetworkAreToldNotToCompress() {
    Tuned fast =
        made(
                Fixtures.controlPlane(
                    "{version: 1.36.3, maxNodes: 100, sizing: {clientMegabytesPerSecond: 100}}"),
                List.of())
            .tuned()
            .orElseThrow();
    assertThat(fast.disablesCompression()).isTrue();
    assertThat(TuningReport.forNodes(fast).get(TuningReport.KUBECONFIG))
        .contains("disable-compression: true");
    assertThat(TuningReport.forNodes(made(spec(100), List.of()).tuned().orElseThrow()))
        .containsOnlyKeys(TuningReport.KUBELET, TuningReport.KUBECONFIG)
        .extractingByKey(TuningReport.KUBECONFIG)
        .asString()
        .contains("disable-compression: false");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

import static io.exaplane.tuning.version.Component.CLIENTS;
import static io.exaplane.tuning.version.Component.KUBELET;
import static io.exaplane.tuning.version.Component.KUBE_APISERVER;
import static io.exaplane.tuning.version.Component.KUBE_CONTROLLER_MANAGER;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What was read in the sources of each branch (reference/tuning.md §1) is what the binaries say.
 */
class VersionMatrixTest {
  private static final VersionMatrix MATRIX = VersionMatrix.load();

  @Test
  void hasEveryMinorFrom130To137() {
    assertThat(MATRIX.minors())
        .containsExactlyElementsOf(
            IntStream.rangeClosed(30, 37).mapToObj(MinorVersion::of).toList());
    assertThat(MATRIX.minors())
        .allSatisfy(minor -> assertThat(MATRIX.describedVersion(minor)).startsWith(minor + "."));
  }

  /**
   * Per minor from 1.30 on: a alpha, b beta off, B beta on, G on, L locked on, D deprecated off, E
   * deprecated on, d deprecated off and locked, e deprecated on and locked, - unknown.
   */
  @ParameterizedTest
  @CsvSource({
    "BtreeWatchCache,                        --BLLLL-",
    "ConsistentListFromCache,                aBBBLLL-",
    "ListFromCacheSnapshot,                  ---aBBBB",
    "DetectCacheInconsistency,               ----BBBB",
    "WatchList,                              aaBbBBBB",
    "StreamingCollectionEncodingToJSON,      ---BLLL-",
    "APIResponseCompression,                 BBBBBBBB",
    "SizeBasedListCostEstimate,              ----BBBB",
    "APIServingWithRoutine,                  aaaaaaaa",
    "ResilientWatchCacheInitialization,      -BBBLLL-",
    "SeparateCacheWatchRPC,                  BBBDDDdd",
    "ConcurrentWatchObjectDecode,            -bbbbbbB",
    "ShardedListAndWatch,                    ------aa",
    "APIListChunking,                        LLL-----",
    "APIPriorityAndFairness,                 L-------",
    "AggregatedDiscoveryRemoveBetaType,      ---EEeee",
    "CRDValidationRatcheting,                BBBLLLLL",
    "CustomResourceFieldSelectors,           aBLLLLLL",
  })
  void gatesOfTheApiServer(String gate, String perMinor) {
    assertThat(row(KUBE_APISERVER, gate)).isEqualTo(perMinor);
  }

  @ParameterizedTest
  @CsvSource({
    "WatchListClient,       bbbbbBBB",
    "InOrderInformers,      ---BBBLL",
    "InformerResourceVersion, aaaaaGGG",
  })
  void gatesOfClients(String gate, String perMinor) {
    assertThat(row(CLIENTS, gate)).isEqualTo(perMinor);
  }

  @Test
  void controllersHaveTheGatesOfClientsWithDefaultsOfTheirOwn() {
    assertThat(row(Component.KUBE_SCHEDULER, "WatchListClient")).isEqualTo("bbbbbBBB");
    // cmd/kube-controller-manager/app/options/options.go overrides it.
    assertThat(row(KUBE_CONTROLLER_MANAGER, "WatchListClient")).isEqualTo("bbBbBBBB");
  }

  @ParameterizedTest
  @CsvSource({
    "storage-initialization-timeout, 1.31, 1.37",
    "emulated-version,               1.31, 1.37",
    "goaway-chance,                  1.30, 1.37",
    "tls-curve-preferences,          1.36, 1.37",
    "enable-priority-and-fairness,   1.30, 1.37",
  })
  void flagsFromAndUntil(String flag, String from, String until) {
    assertThat(MATRIX.flagRuns(KUBE_APISERVER, flag).getFirst().from()).hasToString(from);
    assertThat(MATRIX.flagRuns(KUBE_APISERVER, flag).getLast().until()).hasToString(until);
  }

  @Test
  void aFlagThatNeverShippedIsNotThere() {
    assertThat(MATRIX.flagRuns(KUBE_APISERVER, "disable-compression-for-client-ips")).isEmpty();
    assertThat(MATRIX.flagRuns(KUBE_APISERVER, "insecure-port")).isEmpty();
  }

  @Test
  void defaultsThatChanged() {
    String flag = "node-monitor-grace-period";
    assertThat(
            MATRIX
                .flag(KUBE_CONTROLLER_MANAGER, MinorVersion.of(31), flag)
                .orElseThrow()
                .isDefault("40s"))
        .isTrue();
    assertThat(
            MATRIX
                .flag(KUBE_CONTROLLER_MANAGER, MinorVersion.of(32), flag)
                .orElseThrow()
                .isDefault("50s"))
        .isTrue();
    assertThat(MATRIX.kubeletDefault(MinorVersion.of(36), "nodeStatusMaxImages")).hasValue("50");
    assertThat(MATRIX.kubeletDefault(MinorVersion.of(36), "noSuchField")).isEmpty();
    assertThat(MATRIX.flagRuns(KUBELET, "node-ip")).isNotEmpty();
  }

  @Test
  void priorityLevelsAndFlowSchemas() {
    assertThat(MATRIX.priorityLevels(MinorVersion.of(36)))
        .extracting(PriorityLevel::name, PriorityLevel::shares, PriorityLevel::lendablePercent)
        .contains(
            org.assertj.core.groups.Tuple.tuple("node-high", 40, 25),
            org.assertj.core.groups.Tuple.tuple("workload-low", 100, 90),
            org.assertj.core.groups.Tuple.tuple("catch-all", 5, 0));
    assertThat(MATRIX.flowSchemas(MinorVersion.of(33)))
        .extracting(FlowSchema::name)
        .contains("endpoint-controller");
    assertThat(MATRIX.flowSchemas(MinorVersion.of(34)))
        .extracting(FlowSchema::name)
        .doesNotContain("endpoint-controller");
  }

  private static String row(Component component, String gate) {
    StringBuilder row = new StringBuilder();
    for (MinorVersion minor : MATRIX.minors()) {
      row.append(MATRIX.gate(component, minor, gate).map(VersionMatrixTest::letter).orElse('-'));
    }
    return row.toString();
  }

  private static char letter(Gate gate) {
    return switch (gate.stage()) {
      case "Alpha" -> 'a';
      case "Beta" -> gate.enabledByDefault() ? 'B' : 'b';
      case "GA" -> gate.locked() ? 'L' : 'G';
      default -> {
        char letter = gate.enabledByDefault() ? 'E' : 'D';
        yield gate.locked() ? Character.toLowerCase(letter) : letter;
      }
    };
  }
}

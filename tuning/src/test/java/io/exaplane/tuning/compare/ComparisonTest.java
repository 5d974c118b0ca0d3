// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.exaplane.tuning.Shapes;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.compare.Difference.Type;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.Component;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {
  @Test
  void readsACommandLineAsTheKernelHasIt() {
    assertThat(
            Arguments.parse(
                "kube-apiserver\0--max-requests-inflight=400\0--profiling\0--event-ttl\0002h\0"))
        .containsEntry("max-requests-inflight", "400")
        .containsEntry("profiling", "true")
        .containsEntry("event-ttl", "2h");
  }

  @Test
  void readsAManifestsListAndAShellScript() {
    assertThat(
            Arguments.parse(
                "    - kube-apiserver\n    - --goaway-chance=0.001\n    - \"--bind-address=::\"\n"))
        .containsEntry("goaway-chance", "0.001")
        .containsEntry("bind-address", "::");
    assertThat(Arguments.parse("kube-apiserver \\\n  --profiling \\\n  --v 2"))
        .containsEntry("profiling", "true")
        .containsEntry("v", "2");
    assertThat(Arguments.parse("[\"--profiling\",\"--v=2\"]")).containsEntry("v", "2");
  }

  @Test
  void takesGatesApart() {
    assertThat(Arguments.parse("--feature-gates=WatchList=true,kube:APIServingWithRoutine=true"))
        .containsEntry("feature-gates.WatchList", "true")
        .containsEntry("feature-gates.APIServingWithRoutine", "true");
  }

  @Test
  void aFileWithoutFlagsIsNoCommandLine() {
    assertThatThrownBy(() -> Arguments.parse("hello\nworld"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'hello' contains no flag");
  }

  @Test
  void namesWhatWouldNotStartFirst() {
    List<Difference> differences =
        differences(
            "--max-requests-inflight=800 --insecure-port=0 --default-watch-cache-size=500"
                + " --feature-gates=BtreeWatchCache=false,APIListChunking=true,WatchList=true"
                + " --event-ttl=60m");
    assertThat(differences)
        .extracting(Difference::type, Difference::name)
        .contains(
            tuple(Type.UNKNOWN, "insecure-port"),
            tuple(Type.UNKNOWN, "feature-gates.BtreeWatchCache"),
            tuple(Type.UNKNOWN, "feature-gates.APIListChunking"),
            tuple(Type.DEPRECATED, "default-watch-cache-size"),
            tuple(Type.CHANGE, "max-requests-inflight"),
            tuple(Type.ADD, "goaway-chance"),
            tuple(Type.DEFAULT, "feature-gates.WatchList"),
            tuple(Type.DEFAULT, "event-ttl"));
    assertThat(differences).extracting(Difference::type).isSorted();
    assertThat(differences)
        .filteredOn(difference -> difference.name().equals("feature-gates.APIListChunking"))
        .allSatisfy(
            difference ->
                assertThat(difference.why())
                    .isEqualTo("1.36 has no such gate; versions 1.30 to 1.32 have it"));
  }

  @Test
  void whatIsAsAdvisedIsNoDifference() {
    Tuning tuning = Tuning.of(Shapes.of("1.36", 5_000), Shapes.MATRIX);
    String same =
        String.join(" ", tuning.arguments(Component.KUBE_APISERVER))
            + " --secure-port=6443 --service-account-issuer=x";
    assertThat(
            Comparison.of(tuning, Shapes.MATRIX, Component.KUBE_APISERVER, Arguments.parse(same)))
        .extracting(Difference::type)
        .containsOnly(Type.DEFAULT, Type.FINE);
  }

  /** Where the advice is the default, something else differs from it. */
  @Test
  void leavingADefaultThatTheModelKeepsIsADifference() {
    assertThat(
            differences(
                "--enable-priority-and-fairness=false --watch-cache=false --event-ttl=720h"
                    + " --etcd-compaction-interval=0 --tls-min-version=VersionTLS13"))
        .filteredOn(difference -> difference.type() == Type.CHANGE)
        .extracting(Difference::name, Difference::advised)
        .containsExactly(
            tuple("enable-priority-and-fairness", "true"),
            tuple("etcd-compaction-interval", "5m0s"),
            tuple("event-ttl", "1h0m0s"),
            tuple("watch-cache", "true"));
  }

  @Test
  void readsFlagsAndGatesAsTheComponentsDo() {
    assertThat(
            Arguments.parse(
                "--max_requests_inflight=7\n---\n# - --profiling=false\n  - --v=2 # more"))
        .isEqualTo(Map.of("max-requests-inflight", "7", "v", "2"));
    assertThat(
            Arguments.parse("kube-apiserver\0--audit-policy-file=a --goaway-chance=0.5 b\0--v=2\0"))
        .containsEntry("audit-policy-file", "a --goaway-chance=0.5 b")
        .doesNotContainKey("goaway-chance");
    assertThat(differences("--feature-gates=AllAlpha=false,WatchList=True"))
        .filteredOn(
            difference ->
                difference.name().startsWith("feature-gates.") && difference.type() != Type.ADD)
        .extracting(Difference::type, Difference::name)
        .containsExactly(tuple(Type.DEFAULT, "feature-gates.WatchList"));
  }

  /** What kube-apiserver starts with is no error, and what ends it is one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "--max-requests-inflight=1_000           | -",
        "--max-requests-inflight=0b11            | -",
        "--max-requests-inflight=0o17            | -",
        "--max-requests-inflight=#800            | must be a number, as the flag's type is int",
        "--max-requests-inflight=1e3             | must be a number, as the flag's type is int",
        "--audit-log-maxage=99999999999999999999 | must lie between -9223372036854775808 and 9223372036854775807, as the flag's type is int",
        "--goaway-chance=0.001d                  | must be a number, as the flag's type is float64",
        "--goaway-chance=nan                     | must lie between 0 and 0.02",
        "--audit-log-batch-throttle-qps=4e38     | must be a number, as the flag's type is float32",
        "--v=high                                | must be a number, as the flag's type is Level",
        "--v=3000000000                          | must lie between -2147483648 and 2147483647, as the flag's type is Level",
        "--request-timeout=.5m                   | -",
        "--request-timeout=3000000h              | must be a duration such as 90s or 5m0s",
      })
  void valuesAreReadAsGoReadsThem(String flag, String fault) {
    String name = flag.substring(2, flag.indexOf('='));
    assertThat(differences(flag))
        .filteredOn(each -> each.name().equals(name) && each.type().isError())
        .extracting(Difference::why)
        .isEqualTo(fault == null ? List.of() : List.of(fault));
  }

  private static List<Difference> differences(String running) {
    Tuning tuning = Tuning.of(Shapes.of("1.36", 5_000), Shapes.MATRIX);
    return Comparison.of(tuning, Shapes.MATRIX, Component.KUBE_APISERVER, Arguments.parse(running));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.cli.measure.MeasurementException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Figures of a fleet from what servers say. */
class FleetFiguresTest {
  private static final String PAGE =
      """
      # HELP jvm_threads_live_threads The current number of live threads
      jvm_threads_live_threads 71.0
      jvm_threads_live_threads_other 9.0
      jvm_memory_used_bytes{area="heap",id="Eden Space"} 1000.0
      jvm_memory_used_bytes{area="heap",id="Tenured Gen"} 2.0E3
      jvm_memory_used_bytes{area="nonheap",id="CodeCache"} 500.0
      process_files_open_files 108.0
      process_cpu_time_ns_total 2.5E9
      process_uptime_seconds 100.0
      system_cpu_count 2.0
      jvm_gc_pause_seconds_sum{action="end of minor GC",cause="Allocation Failure",gc="Copy"} 0.5
      jvm_gc_pause_seconds_sum{action="end of major GC",cause="Metadata GC Threshold",gc="MarkSweepCompact"} 0.25
      jvm_gc_pause_seconds_max{action="end of minor GC",cause="Allocation Failure",gc="Copy"} 0.1
      operator_sdk_controllers_execution_reconcile_seconds_count{controller="controlplane",resource_group="exaplane.io"} 876.0
      operator_sdk_controllers_execution_reconcile_seconds_count{controller="storeshard",resource_group="exaplane.io"} 588.0
      operator_sdk_controllers_execution_reconcile_seconds_sum{controller="controlplane",resource_group="exaplane.io"} 438.0
      """;

  @Test
  void theOperatorsPageIsRead() {
    assertThat(OperatorFigures.parse(PAGE))
        .isEqualTo(new OperatorFigures(71, 3000, 500, 108, 876, 438, 2.5, 0.75, 100, 2));
  }

  @Test
  void anotherProgramsPageIsRefused() {
    assertThatThrownBy(() -> OperatorFigures.parse("go_threads 9\n"))
        .isInstanceOf(MeasurementException.class)
        .hasMessageContaining("set --metrics to the operator's page");
  }

  @Test
  void percentilesAreOfTheTimesInAnyOrder() {
    List<Duration> times =
        IntStream.rangeClosed(1, 200).mapToObj(i -> Duration.ofSeconds(201 - i)).toList();
    assertThat(Times.of(times)).isEqualTo(new Times(200, 100, 198, 200));
    assertThat(Times.of(List.of(Duration.ofMillis(1500)))).isEqualTo(new Times(1, 1.5, 1.5, 1.5));
    assertThat(Times.of(List.of())).isEqualTo(new Times(0, 0, 0, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "bench, bench-0000, true",
    "bench, bench-12345, true",
    "bench, bench-000, false",
    "bench, bench-0000-prod, false",
    "bench, xbench-0000, false",
    "bench, bench-prod-0000, false",
    "a.c, abc-0000, false"
  })
  void onlyNamesOfThePrefixAreOurs(String prefix, String namespace, boolean isOurs) {
    assertThat(FleetNames.isOf(prefix, namespace)).isEqualTo(isOurs);
  }

  @Test
  void namespacesAreNumbered() {
    assertThat(new FleetNames("bench", "r", 9, 3).namespaces())
        .containsExactly("bench-0009", "bench-0010", "bench-0011");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | unknown | false",
        "[{\"manager\":\"controlplane\",\"time\":\"2026-01-01T00:00:02Z\"},{\"manager\":\"kube-controller-manager\",\"time\":\"2026-01-01T00:00:01Z\"}] | controlplane | false",
        "[{\"manager\":\"controlplane\",\"time\":\"2026-01-01T00:00:01Z\"},{\"manager\":\"kube-controller-manager\",\"time\":\"2026-01-01T00:00:02Z\"}] | kube-controller-manager | true",
        "[{\"manager\":\"kubelet\"}] | kubelet | true"
      })
  void theNewestManagerWrote(String fields, String writer, boolean isOfKubernetes)
      throws Exception {
    String found =
        Written.writer(new JsonMapper().readTree("{\"managedFields\":%s}".formatted(fields)));
    assertThat(found).isEqualTo(writer);
    assertThat(Written.isOfKubernetes(found)).isEqualTo(isOfKubernetes);
  }
}

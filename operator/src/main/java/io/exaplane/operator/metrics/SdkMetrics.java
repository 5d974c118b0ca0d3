// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.metrics;

import io.exaplane.operator.status.EventRecorder;
import io.exaplane.operator.status.UntoldFailures;
import io.javaoperatorsdk.operator.api.monitoring.AggregatedMetrics;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Who hears of the SDK's passes: its own metrics, and who tells of failures. The extension's
 * provider of metrics has none until the registry has called it, which may come after this.
 */
class SdkMetrics {
  @Produces
  @Singleton
  Metrics all(MeterRegistry registry, EventRecorder events) {
    return new AggregatedMetrics(
        List.of(MicrometerMetrics.withoutPerResourceMetrics(registry), new UntoldFailures(events)));
  }
}

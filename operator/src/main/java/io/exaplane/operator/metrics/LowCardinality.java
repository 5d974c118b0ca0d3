// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.metrics;

import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Takes names of resources out of the SDK's metrics, which would make a series for each. */
class LowCardinality {
  @Produces
  @Singleton
  MeterFilter withoutNames() {
    return MeterFilter.ignoreTags("resource.name", "resource.namespace", "name", "namespace");
  }
}

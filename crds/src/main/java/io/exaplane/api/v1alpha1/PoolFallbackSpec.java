// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import java.time.Duration;

/** What happens when nobody of a SchedulerPool is in charge. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PoolFallbackSpec(
    @Default("DefaultScheduler")
        @JsonPropertyDescription(
            "DefaultScheduler: a kube-scheduler with the pool's name and profile runs"
                + " until a root is ready again; the Lease ensures that only one of them places"
                + " pods. None: pods stay pending. Default: DefaultScheduler.")
        PoolFallbackMode mode,
    @Default("60")
        @Min(10)
        @Max(86_400)
        @JsonPropertyDescription(
            "Seconds without a root in charge before the fallback starts. Default: 60.")
        Integer afterSeconds) {

  private static final int DEFAULT_AFTER_SECONDS = 60;

  /** Who places pods meanwhile, with the default filled in. */
  public static PoolFallbackMode mode(PoolFallbackSpec spec) {
    return spec == null || spec.mode == null ? PoolFallbackMode.DefaultScheduler : spec.mode;
  }

  /** After how long, with the default filled in. */
  public static Duration after(PoolFallbackSpec spec) {
    return Duration.ofSeconds(
        spec == null || spec.afterSeconds == null ? DEFAULT_AFTER_SECONDS : spec.afterSeconds);
  }
}

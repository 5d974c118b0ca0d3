// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Settings for all control planes together, as environment variables EXAPLANE_FLEET_…. */
@ConfigMapping(prefix = "exaplane.fleet")
public interface FleetConfig {
  /** How many control planes replace pods at once, at most; the others wait. At least 1. */
  @WithDefault("10")
  int maxConcurrentRollouts();

  /** How long a rollout counts among those, at most; it goes on beside them. More than 0. */
  @WithDefault("30m")
  Duration rolloutLimit();
}

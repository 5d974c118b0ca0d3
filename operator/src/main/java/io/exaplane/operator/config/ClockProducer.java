// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.config;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;

/** The one clock of the operator, so that tests can put another in its place. */
class ClockProducer {
  @Produces
  @Singleton
  Clock clock() {
    return Clock.systemUTC();
  }
}

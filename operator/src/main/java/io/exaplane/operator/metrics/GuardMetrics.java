// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.metrics;

import io.exaplane.api.v1alpha1.GuardAct;
import io.exaplane.api.v1alpha1.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What the meltdown guards of all control planes decided. Thread-safe. */
@ApplicationScoped
@Startup
public class GuardMetrics {
  private static final List<Reason> REASONS =
      List.of(Reason.EndpointUnreachable, Reason.LeaseStoreUnreachable, Reason.LeasesMissed);

  private final Map<GuardAct, Map<Reason, Counter>> counters = new EnumMap<>(GuardAct.class);

  GuardMetrics(MeterRegistry registry) {
    for (GuardAct act : GuardAct.values()) {
      Map<Reason, Counter> byReason = new EnumMap<>(Reason.class);
      for (Reason reason : REASONS) {
        byReason.put(
            reason,
            Counter.builder("exaplane.guard.decisions")
                .description("Decisions of meltdown guards since the operator's start.")
                .tag("act", act.name())
                .tag("reason", reason.name())
                .register(registry));
      }
      counters.put(act, byReason);
    }
  }

  /** A guard decided. */
  public void decided(GuardAct act, Reason reason) {
    counters.get(act).get(reason).increment();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.health;

import io.exaplane.operator.config.Leading;
import io.exaplane.operator.health.ReadyRule.Informer;
import io.exaplane.operator.health.ReadyRule.Passes;
import io.exaplane.operator.health.ReadyRule.Verdict;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.health.InformerHealthIndicator;
import io.javaoperatorsdk.operator.health.InformerWrappingEventSourceHealthIndicator;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * The page {@code /q/health/ready}: see {@link ReadyRule}. It takes the place of the SDK's check,
 * which is down whenever a watch is opened anew. A standby is ready when its informers are: it
 * makes no passes. Thread-safe.
 */
@Readiness
@ApplicationScoped
class OperatorReadiness implements HealthCheck {
  private static final String NAME = "exaplane-operator";

  private final Operator operator;
  private final MeterRegistry metrics;
  private final ReadyRule rule = new ReadyRule();
  private volatile boolean isLeading;

  OperatorReadiness(Operator operator, MeterRegistry metrics) {
    this.operator = operator;
    this.metrics = metrics;
  }

  void onLeading(@Observes Leading now) {
    isLeading = true;
  }

  @Override
  public HealthCheckResponse call() {
    List<Informer> informers = informers();
    Verdict verdict =
        rule.look(
            operator.getRuntimeInfo().isStarted(),
            informers,
            isLeading ? passes() : new Passes(0, false),
            System.nanoTime());
    return HealthCheckResponse.named(NAME)
        .status(verdict.problems().isEmpty())
        .withData("role", isLeading ? "leader" : "standby")
        .withData("informers", informers.size())
        .withData("secondsSinceLastPass", verdict.sinceLastPass().toSeconds())
        .withData("problems", String.join("; ", verdict.problems()))
        .build();
  }

  private List<Informer> informers() {
    List<Informer> all = new ArrayList<>();
    for (RegisteredController<?> controller :
        operator.getRuntimeInfo().getRegisteredControllers()) {
      String name = controller.getConfiguration().getName();
      for (Map.Entry<String, ?> source :
          controller.getControllerHealthInfo().informerEventSourceHealthIndicators().entrySet()) {
        if (source.getValue() instanceof InformerWrappingEventSourceHealthIndicator<?> indicator) {
          indicator
              .informerHealthIndicators()
              .forEach(
                  (namespace, informer) ->
                      all.add(of(name + "/" + source.getKey() + "/" + namespace, informer)));
        }
      }
    }
    return all;
  }

  private static Informer of(String name, InformerHealthIndicator informer) {
    return new Informer(name, informer.isRunning(), informer.hasSynced(), informer.isWatching());
  }

  /** The SDK counts them. */
  private Passes passes() {
    double ended =
        Stream.of("operator.sdk.reconciliations.success", "operator.sdk.reconciliations.failed")
            .flatMap(name -> metrics.find(name).meters().stream())
            .mapToDouble(OperatorReadiness::count)
            .sum();
    double underWay =
        metrics.getMeters().stream()
            .filter(
                meter -> meter.getId().getName().startsWith("operator.sdk.reconciliations.exec"))
            .filter(Gauge.class::isInstance)
            .mapToDouble(gauge -> ((Gauge) gauge).value())
            .sum();
    return new Passes(ended, underWay > 0);
  }

  private static double count(Meter meter) {
    return switch (meter) {
      case io.micrometer.core.instrument.Counter counter -> counter.count();
      case FunctionCounter counter -> counter.count();
      default -> 0;
    };
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.AnsweringApi;
import io.exaplane.operator.AnsweringApi.Answer;
import io.exaplane.operator.controlplane.Fixtures;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logging.MDC;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 39: a healthy creation warns of nothing, and what is lost is a warning all the same. */
class EventRecorderTest {
  private static final Set<String> BAD = Set.of("Degraded", "Deleting");

  @ParameterizedTest
  @CsvSource({
    // What a creation goes through.
    "Available, False, Creating, false",
    "Progressing, True, WaitingForStores, false",
    "StoresReady, False, Starting, false",
    "CertificatesValid, False, Creating, false",
    "APIServerAvailable, False, Starting, false",
    "EndpointReady, False, Creating, false",
    "KubeconfigReady, False, Creating, false",
    "Ready, False, TLSSecretMissing, false",
    "SchedulerAvailable, False, WaitingForPool, false",
    "Available, True, AsExpected, false",
    "Degraded, False, AsExpected, false",
    "Progressing, False, AsExpected, false",
    // What is wrong.
    "Available, False, Unavailable, true",
    "Available, False, StoreDataLost, true",
    "Degraded, True, PartlyAvailable, true",
    "StoresReady, False, StoreUnavailable, true",
    "EndpointReady, False, AddressLost, true",
    "EndpointReady, False, NoNodeAddress, true",
    "ConfigurationValid, False, NetworkOverlap, true",
    "CertificatesValid, False, CASecretMissing, true",
    "ReconciliationActive, False, ReconcileFailed, true",
    "CapacityAvailable, True, SpaceScarce, true",
    "DataIntact, False, StoreDataLost, true",
    "Ready, False, ClaimOfAnother, true",
    "CapacityAvailable, Unknown, StoreUnavailable, false"
  })
  void onlyWhatIsWrongIsAWarning(String type, String status, String reason, boolean warns) {
    Condition change = new Condition(type, status, reason, "m", "2026-01-01T00:00:00Z", 1L);
    assertThat(EventRecorder.warns(change, BAD)).isEqualTo(warns);
  }

  /** Its writers are threads that some object's pass began. */
  @Test
  void aRefusedEventIsLoggedWithTheNameOfItsOwnObject() throws Exception {
    List<String> logged = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            logged.add(MDC.get("resource.namespace") + "/" + MDC.get("resource.name"));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(EventRecorder.class.getName());
    logger.addHandler(handler);
    MDC.put("resource.name", "another");
    try (AnsweringApi api =
        new AnsweringApi(_ -> new Answer(403, "{\"kind\":\"Status\",\"code\":403}"))) {
      EventRecorder events = Recorders.of(api.client(), Clock.systemUTC());
      events.tell(
          Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}"),
          new News(false, Reason.AsExpected, "m"));
      Recorders.close(events);
    } finally {
      MDC.remove("resource.name");
      logger.removeHandler(handler);
    }
    assertThat(logged).containsExactly("ns/demo");
  }
}

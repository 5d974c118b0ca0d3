// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jboss.logging.MDC;

/** Writes Kubernetes Events about what users see change. Thread-safe. */
@ApplicationScoped
public class EventRecorder {
  private static final Logger LOG = Logger.getLogger(EventRecorder.class);

  /** Reasons that warn of what may come, whatever is True now. */
  private static final Set<String> WARNINGS =
      Set.of(
          Reason.SpaceScarce.name(),
          Reason.SpaceNearlyExceeded.name(),
          Reason.NameReserved.name(),
          Reason.CrashLooping.name());

  /**
   * Reasons of what is still to come: nothing is lost, and a healthy creation goes through them.
   */
  private static final Set<String> TO_COME =
      Stream.of(
              Reason.AsExpected,
              Reason.Creating,
              Reason.Starting,
              Reason.RollingOut,
              Reason.Upgrading,
              Reason.WaitingForStores,
              Reason.WaitingForEndpoint,
              Reason.WaitingForAPIServer,
              Reason.WaitingForCertificates,
              Reason.WaitingForControlPlane,
              Reason.WaitingForPool,
              Reason.NodesJoining,
              Reason.AgentsWaiting,
              Reason.AgentsRestarting,
              Reason.AddonsApplying,
              Reason.TaskQueued,
              Reason.TaskRunning,
              Reason.RotationPreparing,
              Reason.RotationPrepared,
              Reason.RotationCompleting,
              Reason.TLSSecretMissing)
          .map(Reason::name)
          .collect(Collectors.toSet());

  private static final String COMPONENT = "exaplane-operator";

  /** As the SDK names them, and the format of the log. */
  private static final String LOGGED_NAMESPACE = "resource.namespace";

  private static final String LOGGED_NAME = "resource.name";

  /** Their queue takes the Events of a hundred control planes that are made at once. */
  private static final int QUEUE = 2_000;

  private static final int WRITERS = 4;

  private final ThreadPoolExecutor writers =
      new ThreadPoolExecutor(
          WRITERS,
          WRITERS,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(QUEUE),
          Thread.ofVirtual().name("events-", 0).factory());

  private final KubernetesClient client;
  private final Clock clock;

  EventRecorder(KubernetesClient client, Clock clock) {
    this.client = client;
    this.clock = clock;
  }

  /** What is on its way when the operator ends is written still. */
  @PreDestroy
  void close() throws InterruptedException {
    writers.shutdown();
    writers.awaitTermination(1, TimeUnit.SECONDS);
  }

  /**
   * Logs each change of a condition as one line and writes an Event for it.
   *
   * @param bad condition types for which True is bad
   */
  public void conditionsChanged(HasMetadata about, List<Condition> changes, Set<String> bad) {
    for (Condition change : changes) {
      LOG.infof(
          "%s is %s (%s): %s", change.type(), change.status(), change.reason(), change.message());
      event(
          about,
          warns(change, bad) ? "Warning" : "Normal",
          change.reason(),
          change.type() + " is " + change.status() + ": " + change.message());
    }
  }

  /** Whether a condition tells of something that is wrong, and not of what is still to come. */
  static boolean warns(Condition change, Set<String> bad) {
    if (change.status().equals(Condition.UNKNOWN)) {
      return false;
    }
    return WARNINGS.contains(change.reason())
        || bad.contains(change.type()) == change.status().equals(Condition.TRUE)
            && !TO_COME.contains(change.reason());
  }

  /**
   * Writes one Event, in a moment: nobody waits for it. An API server that refuses it costs the
   * Event and nothing else; so does a queue that is full, which the log says.
   */
  public void tell(HasMetadata about, News news) {
    event(about, news.warns() ? "Warning" : "Normal", news.reason().name(), news.message());
  }

  private void event(HasMetadata about, String type, String reason, String message) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    try {
      writers.execute(() -> writeAs(about, type, reason, message, now));
    } catch (RejectedExecutionException e) {
      LOG.infof("%s of %s is not written as an Event", reason, about.getMetadata().getName());
    }
  }

  /** A thread has the names of whoever began it; the log is to have those of this object. */
  private void writeAs(HasMetadata about, String type, String reason, String message, Instant now) {
    MDC.put(LOGGED_NAMESPACE, about.getMetadata().getNamespace());
    MDC.put(LOGGED_NAME, about.getMetadata().getName());
    write(about, type, reason, message, now);
  }

  private void write(HasMetadata about, String type, String reason, String message, Instant now) {
    try {
      client
          .v1()
          .events()
          .inNamespace(about.getMetadata().getNamespace())
          .resource(
              new EventBuilder()
                  .withNewMetadata()
                  .withGenerateName(about.getMetadata().getName() + ".")
                  .withNamespace(about.getMetadata().getNamespace())
                  .endMetadata()
                  .withNewInvolvedObject()
                  .withApiVersion(about.getApiVersion())
                  .withKind(about.getKind())
                  .withName(about.getMetadata().getName())
                  .withNamespace(about.getMetadata().getNamespace())
                  .withUid(about.getMetadata().getUid())
                  .endInvolvedObject()
                  .withType(type)
                  .withReason(reason)
                  .withMessage(message)
                  .withNewSource()
                  .withComponent(COMPONENT)
                  .endSource()
                  .withReportingComponent(COMPONENT)
                  .withFirstTimestamp(now.toString())
                  .withLastTimestamp(now.toString())
                  .withCount(1)
                  .build())
          .create();
    } catch (KubernetesClientException e) {
      LOG.infof("%s", Refusals.of(e).text());
    }
  }
}

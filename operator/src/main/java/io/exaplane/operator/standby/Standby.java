// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.standby;

import io.exaplane.operator.config.Leading;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.Cloner;
import io.javaoperatorsdk.operator.processing.Controller;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * While this operator waits for the Lease, a thread rehearses passes on what the informers hold.
 * Otherwise the first passes of a leader would run code that nobody compiled, and a fleet would
 * wait for that. The thread ends when this operator leads. Thread-safe.
 */
@Singleton
class Standby {
  private static final Logger LOG = Logger.getLogger(Standby.class);

  private final Operator operator;
  private final Instance<Rehearsal<?>> rehearsals;
  private final CountDownLatch over = new CountDownLatch(1);

  Standby(Operator operator, Instance<Rehearsal<?>> rehearsals) {
    this.operator = operator;
    this.rehearsals = rehearsals;
  }

  void onStart(@Observes StartupEvent event) {
    Thread.ofPlatform().daemon().name("standby").start(this::run);
  }

  void onLeading(@Observes Leading now) {
    over.countDown();
  }

  void onStop(@Observes ShutdownEvent event) {
    over.countDown();
  }

  private void run() {
    try {
      while (!operator.getRuntimeInfo().isStarted()) {
        if (isOverAfter(Rehearsals.PAUSE)) {
          return;
        }
      }
      if (operator.getConfigurationService().getLeaderElectionConfiguration().isEmpty()) {
        return;
      }
      Rehearsals all = new Rehearsals(parts(), System::nanoTime);
      Duration pause = Rehearsals.PAUSE;
      while (!isOverAfter(pause)) {
        pause = all.next(() -> over.getCount() == 0);
      }
    } catch (InterruptedException e) {
      LOG.debug("the standby's thread was interrupted, and rehearsals end", e);
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn(
          "this standby has stopped its rehearsals, so its first reconciliations as a leader are slower",
          e);
    }
  }

  private boolean isOverAfter(Duration pause) throws InterruptedException {
    return over.await(pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private List<Rehearsals.Part<?>> parts() {
    NoClient noClient = new NoClient(operator.getKubernetesClient().getKubernetesSerialization());
    return rehearsals.stream().<Rehearsals.Part<?>>map(each -> part(each, noClient)).toList();
  }

  @SuppressWarnings("unchecked")
  private <P extends HasMetadata> Rehearsals.Part<P> part(
      Rehearsal<P> rehearsal, NoClient noClient) {
    Controller<P> controller =
        (Controller<P>)
            operator
                .getRegisteredController(rehearsal.controller())
                .orElseThrow(
                    () -> new IllegalStateException("no reconciler is " + rehearsal.controller()));
    return new Rehearsals.Part<>(
        new Informed<>(
            rehearsal,
            controller,
            operator.getConfigurationService().getResourceCloner(),
            noClient));
  }

  /** What the informers of a reconciler hold. */
  private static final class Informed<P extends HasMetadata>
      implements Rehearsals.Part.Source<P>, RehearsalContext.Held<P> {
    private final Rehearsal<P> rehearsal;
    private final Controller<P> controller;
    private final Cloner cloner;
    private final NoClient noClient;

    Informed(Rehearsal<P> rehearsal, Controller<P> controller, Cloner cloner, NoClient noClient) {
      this.rehearsal = rehearsal;
      this.controller = controller;
      this.cloner = cloner;
      this.noClient = noClient;
    }

    @Override
    public Stream<P> all() {
      return controller.getEventSourceManager().getControllerEventSource().list();
    }

    @Override
    public <R> Stream<R> of(Class<R> type, P primary) {
      return controller.getEventSourceManager().getEventSourcesFor(type).stream()
          .flatMap(source -> source.getSecondaryResources(primary).stream());
    }

    @Override
    public String state(P object) {
      return rehearsal.state(object, context(object));
    }

    @Override
    public void rehearse(P object) {
      P copy = cloner.clone(object);
      rehearsal.of(copy, context(copy));
    }

    private RehearsalContext<P> context(P object) {
      return new RehearsalContext<>(object, this, controller.getConfiguration(), noClient);
    }
  }
}

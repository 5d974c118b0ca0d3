// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.exaplane.e2e.chaos.Sightings;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.net.HttpURLConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A LIST, and WATCHes from where the last one ended, as informers do: only an API that knows the
 * revision no more makes it LIST again. A WATCH that is silent while there are writes is given up,
 * since a connection to an apiserver that was killed may never end.
 */
final class ChaosInformer implements AutoCloseable {
  private static final long SILENCE_SECONDS = 15;

  private final String controlPlane;
  private final String namespace;
  private final Sightings sightings;
  private final Thread thread;
  private volatile boolean closed;
  private boolean lists = true;

  ChaosInformer(String controlPlane, String namespace, Sightings sightings) {
    this.controlPlane = controlPlane;
    this.namespace = namespace;
    this.sightings = sightings;
    this.thread = Thread.ofPlatform().name("informer").daemon().start(this::run);
  }

  private void run() {
    while (!closed) {
      try (KubernetesClient client = Hosted.newClient(controlPlane, namespace)) {
        client.getConfiguration().setRequestRetryBackoffLimit(0);
        client.getConfiguration().setWatchReconnectLimit(0);
        follow(client);
      } catch (KubernetesClientException e) {
        lists |= e.getCode() == HttpURLConnection.HTTP_GONE;
        pause();
      } catch (RuntimeException | AssertionError noSecret) {
        pause();
      } catch (InterruptedException end) {
        return;
      }
    }
  }

  private void follow(KubernetesClient client) throws InterruptedException {
    if (lists) {
      ConfigMapList all = client.configMaps().inNamespace(ChaosWorkload.NAMESPACE).list();
      sightings.listed(
          ChaosWorkload.revision(all.getMetadata().getResourceVersion()),
          ChaosWorkload.revisions(all));
      lists = false;
    }
    ListOptions from =
        new ListOptionsBuilder()
            .withResourceVersion(Long.toString(sightings.last()))
            .withAllowWatchBookmarks(true)
            .build();
    Events events = new Events(sightings);
    try (Watch _ = client.configMaps().inNamespace(ChaosWorkload.NAMESPACE).watch(from, events)) {
      lists = isGone(events);
    }
    events.stop();
  }

  /** Waits for the end; whether the API knows the revision no more. */
  private boolean isGone(Events events) throws InterruptedException {
    long last = sightings.last();
    while (!closed) {
      try {
        WatcherException cause = events.end.get(SILENCE_SECONDS, TimeUnit.SECONDS);
        return cause != null && cause.isHttpGone();
      } catch (TimeoutException silence) {
        if (sightings.last() == last) {
          return false;
        }
        last = sightings.last();
      } catch (ExecutionException never) {
        throw new IllegalStateException(never);
      }
    }
    return false;
  }

  private static void pause() {
    try {
      Thread.sleep(TimeUnit.SECONDS.toMillis(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }

  /** Of one WATCH; one that was given up tells nothing any more. */
  private static final class Events implements Watcher<ConfigMap> {
    final CompletableFuture<WatcherException> end = new CompletableFuture<>();
    private final Sightings sightings;
    private boolean stopped;

    Events(Sightings sightings) {
      this.sightings = sightings;
    }

    @Override
    public synchronized void eventReceived(Action action, ConfigMap object) {
      if (stopped) {
        return;
      }
      String key = object.getMetadata().getName();
      long revision = ChaosWorkload.revision(object.getMetadata().getResourceVersion());
      switch (action) {
        case ADDED, MODIFIED -> sightings.changed(key, revision);
        case DELETED -> sightings.deleted(key, revision);
        case BOOKMARK -> sightings.bookmarked(revision);
        case ERROR -> throw new IllegalStateException("an error without a status");
      }
    }

    synchronized void stop() {
      stopped = true;
    }

    @Override
    public void onClose() {
      end.complete(null);
    }

    @Override
    public void onClose(WatcherException cause) {
      end.complete(cause);
    }
  }
}

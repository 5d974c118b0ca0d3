// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import io.exaplane.scheduler.model.Fields;
import io.exaplane.scheduler.model.InvalidObjectException;
import io.exaplane.scheduler.protobuf.DamagedException;
import io.exaplane.scheduler.protobuf.ProtobufObjects;
import io.exaplane.scheduler.protobuf.WatchEvents;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * Keeps a listener in step with all objects of a kind: a list, then a watch from there on, both in
 * Kubernetes' protobuf, again and again until it is stopped. The list comes as a stream where the
 * server can do that, else page by page. What happened while nobody listened is told after the next
 * list by {@link ObjectListener#retain}. It holds no objects; during a list, the names that it saw.
 * {@link #run} has a thread of its own; the other methods are for any. Source: client-go,
 * tools/cache/reflector.go; KEP-3157.
 */
public final class Reflector implements Runnable {
  private static final Logger LOG = Logger.getLogger(Reflector.class);
  private static final String ENCODING = "application/vnd.kubernetes.protobuf";
  private static final String STREAM = ENCODING + ";stream=watch";
  private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int GONE = 410;
  private static final int UNPROCESSABLE = 422;
  private static final int READ_AHEAD = 1 << 16;

  private final Resource resource;
  private final ApiStream api;
  private final ObjectListener listener;
  private final Pace pace;

  /** Where the next watch begins; null if a list is needed. */
  private String resourceVersion;

  /** The names that the list under way has shown; null if there is none. */
  private SeenNames seen;

  private boolean listsAsStream = true;
  private boolean heard;
  private Duration retryAfter = Duration.ZERO;
  private volatile InputStream current;
  private volatile long heardAtNs;
  private volatile boolean inStep;
  private volatile boolean stopped;

  /**
   * Of a kind.
   *
   * @param pace how long it waits for what
   */
  public Reflector(Resource resource, ApiStream api, ObjectListener listener, Pace pace) {
    this.resource = resource;
    this.api = api;
    this.listener = listener;
    this.pace = pace;
    heardAtNs = pace.nowNs();
  }

  /** The server has forgotten what happened since. */
  private static final class ExpiredException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** Whether the listener was told of all objects once, and is told of changes since. */
  public boolean isInStep() {
    return inStep;
  }

  /** Ends it soon. */
  public void stop() {
    stopped = true;
    cut();
  }

  /**
   * Ends a watch on which nothing was heard for too long: servers send bookmarks each minute, so
   * that nobody is there any more. To be called now and then.
   */
  public void cutIfSilent() {
    if (current != null && pace.nowNs() - heardAtNs > pace.silence().toNanos()) {
      LOG.warnf(
          "%s: nothing heard for %s; the watch is opened again", resource.plural(), pace.silence());
      cut();
    }
  }

  private void cut() {
    InputStream open = current;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        LOG.debugf(e, "%s: closing the watch", resource.plural());
      }
    }
  }

  @Override
  public void run() {
    int failures = 0;
    while (!stopped) {
      heard = false;
      try {
        String trouble = attempt();
        boolean well = heard && trouble == null;
        failures = well ? 0 : heard ? 1 : failures + 1;
        if (!stopped && trouble != null) {
          log(failures, trouble);
        }
        if (!stopped && !well) {
          pace.pause(failures, retryAfter);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        stopped = true;
      }
    }
    inStep = false;
  }

  private void log(int failures, String trouble) {
    if (failures < 2) {
      LOG.infof("%s: %s; they are asked for again", resource.plural(), trouble);
    } else {
      LOG.warnf("%s: failed %d times in a row: %s", resource.plural(), failures, trouble);
    }
  }

  /** One list or watch to its end; returns what went wrong, or null if that is known already. */
  private String attempt() throws InterruptedException {
    retryAfter = Duration.ZERO;
    try {
      step();
      return heard ? null : "the watch ended at once";
    } catch (ExpiredException e) {
      String gone =
          resourceVersion == null
              ? "the list expired while it was read"
              : "version " + resourceVersion + " is gone, all are listed";
      LOG.infof("%s: %s", resource.plural(), gone);
      resourceVersion = null;
      return null;
    } catch (RefusedException e) {
      retryAfter = e.retryAfter();
      return e.getMessage();
    } catch (IOException | DamagedException | InvalidObjectException e) {
      return e.getCause() == null ? e.getMessage() : e.getMessage() + ": " + e.getCause();
    }
  }

  private void step()
      throws IOException,
          DamagedException,
          ExpiredException,
          RefusedException,
          InterruptedException {
    if (resourceVersion != null) {
      follow("resourceVersion=" + resourceVersion);
    } else if (listsAsStream) {
      seen = new SeenNames();
      follow("sendInitialEvents=true&resourceVersionMatch=NotOlderThan");
    } else {
      listByPages();
    }
  }

  private void follow(String from)
      throws IOException,
          DamagedException,
          ExpiredException,
          RefusedException,
          InterruptedException {
    String query =
        "?watch=true&allowWatchBookmarks=true&timeoutSeconds=" + pace.watchSeconds() + "&" + from;
    ApiStream.Answer answer = api.get(resource.path() + query, STREAM);
    try (InputStream body = opened(answer)) {
      boolean unable = answer.status() == BAD_REQUEST || answer.status() == UNPROCESSABLE;
      if (unable && seen != null && resourceVersion == null) {
        listsAsStream = false;
        heard = true;
        LOG.infof("%s: the server lists them by pages only", resource.plural());
        return;
      }
      if (!isThere(answer, body)) {
        return;
      }
      WatchEvents events = new WatchEvents(body);
      for (WatchEvents.Event event = events.next(); event != null; event = events.next()) {
        take(event);
      }
      if (seen != null) {
        throw new IOException("the list ended before it was whole");
      }
    } finally {
      current = null;
    }
  }

  private InputStream opened(ApiStream.Answer answer) {
    heardAtNs = pace.nowNs();
    current = answer.body();
    if (stopped) {
      cut();
    }
    return new BufferedInputStream(answer.body(), READ_AHEAD);
  }

  /** Whether the server has the kind; one without is like one with no objects. */
  private boolean isThere(ApiStream.Answer answer, InputStream body)
      throws IOException, ExpiredException, RefusedException, InterruptedException {
    switch (answer.status()) {
      case OK -> {
        return true;
      }
      case NOT_FOUND -> {
        seen = new SeenNames();
        end(null);
        heard = true;
        pace.pauseWithout();
        return false;
      }
      case GONE -> throw new ExpiredException();
      default -> {
        RefusedException refusal = RefusedException.of(resource, answer, body);
        if (refusal.isFromTheFuture()) {
          throw new ExpiredException();
        }
        throw refusal;
      }
    }
  }

  private void take(WatchEvents.Event event) throws IOException, ExpiredException {
    heardAtNs = pace.nowNs();
    Fields object = Fields.of(event.object(), resource.kind());
    switch (event.type()) {
      case "ADDED", "MODIFIED" -> put(event.object(), object.child("metadata"));
      case "DELETED" -> listener.remove(resource, event.object());
      case "BOOKMARK" -> {}
      case "ERROR" -> {
        if (object.integer("code", 0) == GONE) {
          throw new ExpiredException();
        }
        throw new IOException("the watch ends: " + object.string("message"));
      }
      default -> throw new IOException("there is no event " + event.type());
    }
    heard = true;
    String version = object.child("metadata").string("resourceVersion");
    if (seen == null) {
      resourceVersion = version;
    } else if (object.child("metadata").child("annotations").has(INITIAL_EVENTS_END)) {
      end(version);
    }
  }

  private void put(Map<String, Object> object, Fields meta) {
    listener.put(resource, object);
    if (seen != null) {
      seen.add(meta.string("namespace"), meta.string("name"));
    }
  }

  /** The list is whole. */
  private void end(String version) {
    SeenNames all = seen;
    seen = null;
    listener.retain(resource, all::contains);
    resourceVersion = version;
    if (!inStep) {
      LOG.infof("%s: in step, %d objects", resource.plural(), all.size());
    }
    inStep = true;
  }

  private void listByPages()
      throws IOException,
          DamagedException,
          ExpiredException,
          RefusedException,
          InterruptedException {
    seen = new SeenNames();
    String version = null;
    String next = "";
    do {
      String query = "?limit=" + pace.pageSize() + (next.isEmpty() ? "" : "&continue=" + next);
      ApiStream.Answer answer = api.get(resource.path() + query, ENCODING);
      try (InputStream body = opened(answer)) {
        if (!isThere(answer, body)) {
          return;
        }
        ProtobufObjects objects =
            new ProtobufObjects(
                object -> put(object, Fields.of(object, resource.kind()).child("metadata")));
        objects.read(body);
        heard = true;
        Fields meta = Fields.of(objects.listMeta(), resource.plural());
        version = version == null ? meta.string("resourceVersion") : version;
        next = meta.string("continue");
      } finally {
        current = null;
      }
    } while (!next.isEmpty());
    end(version);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.InvalidObjectException;
import io.exaplane.scheduler.engine.protobuf.ProtobufObjects;
import io.exaplane.scheduler.engine.protobuf.WatchEvents;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * What a {@link Reflector} does next, and with what it goes on after that: a list if it needs one,
 * as a stream or, after one that did not come to its end, by pages; else a watch. One thread.
 */
final class ListAndWatch {
  private static final Logger LOG = Logger.getLogger(Reflector.class);
  private static final String ENCODING = "application/vnd.kubernetes.protobuf";
  private static final String STREAM = ENCODING + ";stream=watch";
  private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";
  private static final String NOBODY = "&fieldSelector=metadata.name%3Dnobody";
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int GONE = 410;
  private static final int UNPROCESSABLE = 422;
  private static final int READ_AHEAD = 1 << 16;

  private final Resource resource;
  private final ApiStream api;
  private final ObjectListener listener;
  private final Pace pace;
  private final Consumer<HeardStream> opened;

  /** Where the next watch begins; null if a list is needed. */
  private String resourceVersion;

  /** The names that the list under way has shown; null if there is none. */
  private SeenNames seen;

  /** Whether the last list as a stream was begun, but is not whole. */
  private boolean byPages;

  /** Whether the next list has no pages, as the server forgets before the last one. */
  private boolean atOnce;

  private boolean listed;
  private int events;

  /** How long the watch that is open lasts at most, if the server keeps to it. */
  private long endsNs;

  private HeardStream current;
  private volatile boolean inStep;
  private boolean absent;

  /**
   * Of a kind.
   *
   * @param opened takes each answer before it is read, and null when it was
   */
  ListAndWatch(
      Resource resource,
      ApiStream api,
      ObjectListener listener,
      Pace pace,
      Consumer<HeardStream> opened) {
    this.resource = resource;
    this.api = api;
    this.listener = listener;
    this.pace = pace;
    this.opened = opened;
  }

  /** Whether all objects were told, and changes since; or there are none to be told. Any thread. */
  boolean isInStep() {
    return inStep;
  }

  /** Whether the server has no such kind. */
  boolean isAbsent() {
    return absent;
  }

  /** Where the next watch begins; null if a list is needed. */
  String resourceVersion() {
    return resourceVersion;
  }

  /** A list is needed. */
  void forget() {
    resourceVersion = null;
    inStep = false;
  }

  /** One list, or one watch to its end. */
  void step() throws IOException, InterruptedException {
    absent = false;
    events = 0;
    if (resourceVersion != null) {
      watch();
    } else if (byPages) {
      listByPages();
    } else {
      listAsStream();
    }
  }

  private void watch() throws IOException, InterruptedException {
    long start = pace.nowNs();
    long seconds = pace.watchSeconds();
    long silence = TimeUnit.SECONDS.toNanos(seconds) + pace.silence().toNanos();
    follow(seconds, "resourceVersion=" + resourceVersion, silence);
    if (events > 0) {
      return;
    }
    if (pace.nowNs() - start < TimeUnit.SECONDS.toNanos(1)) {
      throw new IOException("the watch ended at once");
    }
    verifyVersion();
  }

  /**
   * Of a server that has less than it once had, watches are silent until it has caught up; lists
   * are refused.
   */
  private void verifyVersion() throws IOException, InterruptedException {
    String query =
        "?resourceVersionMatch=NotOlderThan" + NOBODY + "&resourceVersion=" + resourceVersion;
    ApiStream.Answer answer = api.get(resource.path() + query, ENCODING);
    try (InputStream body = open(answer, pace.silence().toNanos())) {
      if (answer.status() != OK) {
        throw refusal(answer, body);
      }
      body.transferTo(OutputStream.nullOutputStream());
    } finally {
      close();
    }
  }

  private void listAsStream() throws IOException, InterruptedException {
    seen = new SeenNames();
    String query = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    boolean begun = follow(pace.watchSeconds(), query, pace.silence().toNanos());
    if (begun && seen != null) {
      throw new IOException("the list ended before it was complete");
    }
  }

  /** Returns whether the server sent what was asked for, to its end. */
  private boolean follow(long seconds, String from, long silenceNs)
      throws IOException, InterruptedException {
    endsNs = TimeUnit.SECONDS.toNanos(seconds) + pace.silence().toNanos();
    String query = "?watch=true&allowWatchBookmarks=true&timeoutSeconds=" + seconds + "&" + from;
    ApiStream.Answer answer = api.get(resource.path() + query, STREAM);
    try (InputStream body = open(answer, silenceNs)) {
      boolean unable = answer.status() == BAD_REQUEST || answer.status() == UNPROCESSABLE;
      if (unable && resourceVersion == null) {
        byPages = true;
        return false;
      }
      if (!isThere(answer, body)) {
        return false;
      }
      WatchEvents watch = new WatchEvents(body);
      for (WatchEvents.Event event = watch.next(); event != null; event = watch.next()) {
        take(event);
      }
      return true;
    } finally {
      close();
    }
  }

  private InputStream open(ApiStream.Answer answer, long silenceNs) {
    current = new HeardStream(answer.body(), pace::nowNs, silenceNs);
    opened.accept(current);
    return new BufferedInputStream(current, READ_AHEAD);
  }

  private void close() {
    current = null;
    opened.accept(null);
  }

  /** Whether the server has the kind; one without is like one with no objects, if it may be. */
  private boolean isThere(ApiStream.Answer answer, InputStream body)
      throws IOException, InterruptedException {
    if (answer.status() == OK) {
      return true;
    }
    if (resource.mayBeAbsent() && !listed && isUnknown(answer.status())) {
      if (!inStep) {
        LOG.infof("%s: the server does not have this kind", resource.plural());
      }
      absent = true;
      seen = null;
      inStep = true;
      return false;
    }
    throw refusal(answer, body);
  }

  /**
   * Who may not ask for a kind is told so before it is looked whether there is one: Kubernetes
   * gives its schedulers rights by the features that are on.
   */
  private boolean isUnknown(int status) throws IOException, InterruptedException {
    return status == NOT_FOUND || status == FORBIDDEN && !new Discovery(api).serves(resource);
  }

  private RefusedException refusal(ApiStream.Answer answer, InputStream body) throws IOException {
    RefusedException refusal = RefusedException.of(resource, answer, body);
    if (answer.status() == GONE || (resourceVersion != null && refusal.isFromTheFuture())) {
      throw new ExpiredException(refusal.getMessage());
    }
    return refusal;
  }

  private void take(WatchEvents.Event event) throws IOException {
    byPages = seen != null;
    Fields object = Fields.of(event.object(), resource.kind());
    Fields meta = object.child("metadata");
    switch (event.type()) {
      case "ADDED", "MODIFIED" -> put(event.object(), meta);
      case "DELETED" -> {
        check(event.object());
        listener.remove(resource, event.object());
      }
      case "BOOKMARK" -> current.expectWithin(seen == null ? pace.silence().toNanos() : endsNs);
      case "ERROR" -> throw refusal(object);
      default -> throw new IOException("unknown type of event: " + event.type());
    }
    String version = meta.string("resourceVersion");
    if (version.isEmpty()) {
      throw new IOException("an event " + event.type() + " has no resourceVersion");
    }
    events++;
    if (seen == null) {
      resourceVersion = version;
    } else if (meta.child("annotations").has(INITIAL_EVENTS_END)) {
      end(version);
    }
  }

  private RefusedException refusal(Fields status) throws ExpiredException {
    RefusedException refusal = RefusedException.of(resource, status);
    if (status.integer("code", 0) == GONE || refusal.isFromTheFuture()) {
      throw new ExpiredException(refusal.getMessage());
    }
    return refusal;
  }

  private void check(Map<String, Object> object) {
    if (!resource.kind().equals(object.get("kind"))) {
      throw new InvalidObjectException(
          "GET " + resource.path(),
          object.get("kind"),
          "must be " + resource.kind(),
          "check for a proxy between the scheduler and the API server");
    }
  }

  private void put(Map<String, Object> object, Fields meta) {
    check(object);
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
    byPages = false;
    atOnce = false;
    listed = true;
    if (!inStep) {
      LOG.infof("%s: in step, %d objects", resource.plural(), all.size());
    }
    inStep = true;
  }

  private void listByPages() throws IOException, InterruptedException {
    seen = new SeenNames();
    String version = "";
    String next = "";
    do {
      Fields meta = page(next);
      if (absent) {
        return;
      }
      version = version.isEmpty() ? meta.string("resourceVersion") : version;
      next = meta.string("continue");
      if (version.isEmpty()) {
        throw new IOException("the list has no resourceVersion");
      }
    } while (!next.isEmpty());
    end(version);
  }

  private Fields page(String next) throws IOException, InterruptedException {
    String query = atOnce ? "" : "?limit=" + pace.pageSize();
    String rest = next.isEmpty() ? "" : "&continue=" + next;
    ApiStream.Answer answer = api.get(resource.path() + query + rest, ENCODING);
    try (InputStream body = open(answer, pace.silence().toNanos())) {
      if (!isThere(answer, body)) {
        return null;
      }
      ProtobufObjects objects =
          new ProtobufObjects(
              object -> put(object, Fields.of(object, resource.kind()).child("metadata")));
      objects.read(body);
      if (!objects.listKind().equals(resource.kind())) {
        throw new IOException("the answer is not a list of " + resource.plural());
      }
      return Fields.of(objects.listMeta(), resource.plural());
    } catch (ExpiredException e) {
      atOnce = !next.isEmpty();
      throw e;
    } finally {
      close();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.entry.Observe;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.order.Definition;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.ApiPort;
import io.exaplane.apply.port.ApplyRequest;
import io.exaplane.apply.port.Content;
import io.exaplane.apply.port.Discovery;
import io.exaplane.apply.port.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What an apply would change, by the server's own dry run: nothing is written. For one caller; some
 * requests are under way at once.
 */
final class ApplyPreview {
  /** Requests at once. */
  private static final int MOST = 8;

  private static final int TRIES = 3;
  private static final Set<String> OF_SERVERS =
      Set.of("managedFields", "resourceVersion", "generation", "creationTimestamp", "uid");

  private final ApiPort api;
  private final ApplySet set;
  private final String manager;
  private final boolean force;
  private final Set<String> definitions = new HashSet<>();
  private final Set<String> namespaces = new HashSet<>();

  /**
   * One object: {@code created}, {@code changed}, {@code unchanged}, {@code taken} when it is
   * another set's, or {@code failed}.
   */
  record Row(String object, String place, String outcome, List<String> fields, String words) {}

  ApplyPreview(ApiPort api, ApplySet set, String manager, boolean force) {
    this.api = api;
    this.set = set;
    this.manager = manager;
    this.force = force;
  }

  /**
   * Asks for all.
   *
   * @param limit for all requests together
   * @throws ApiException when the server does not say what it serves
   */
  List<Row> of(List<Manifest> manifests, Duration limit) throws ApiException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    Discovery discovery = api.discover();
    for (Manifest one : manifests) {
      Definition.of(one).ifPresent(found -> definitions.add(found.groupKind()));
      if (one.gvk().groupKind().equals("Namespace")) {
        namespaces.add(one.key().name());
      }
    }
    List<Future<Row>> asked = new ArrayList<>();
    try (ExecutorService threads =
        Executors.newFixedThreadPool(MOST, Thread.ofVirtual().factory())) {
      for (Manifest one : manifests) {
        asked.add(threads.submit(() -> row(one, discovery.types().get(one.gvk()))));
      }
      List<Row> rows = new ArrayList<>();
      for (int at = 0; at < asked.size(); at++) {
        rows.add(awaited(asked.get(at), manifests.get(at), deadline));
      }
      threads.shutdownNow();
      return rows;
    }
  }

  private static Row awaited(Future<Row> asked, Manifest manifest, long deadline)
      throws InterruptedException {
    try {
      return asked.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return row(manifest, "failed", List.of(), "not asked within --timeout; raise it");
    } catch (ExecutionException e) {
      throw new IllegalStateException(manifest + " can't be compared: " + e.getCause(), e);
    }
  }

  private Row row(Manifest manifest, ResourceType type) throws InterruptedException {
    if (type != null) {
      return one(manifest, type);
    }
    return definitions.contains(manifest.gvk().groupKind())
        ? row(manifest, "created", List.of(), "not checked: its definition is in the files")
        : row(manifest, "failed", List.of(), "the server does not serve " + manifest.gvk());
  }

  private interface Call<T> {
    T run() throws ApiException, InterruptedException;
  }

  /** Asks again while the server is only busy. */
  private static <T> T patiently(Call<T> call) throws ApiException, InterruptedException {
    for (int tried = 1; ; tried++) {
      try {
        return call.run();
      } catch (ApiException e) {
        boolean busy = e.failure().code() == 429 || e.failure().code() == 503;
        if (!busy || tried == TRIES) {
          throw e;
        }
        Thread.sleep(Math.clamp(e.failure().retryAfterMs(), 500, 10_000));
      }
    }
  }

  private Row one(Manifest manifest, ResourceType type) throws InterruptedException {
    ObjectKey given = manifest.key();
    String own = given.namespace().isEmpty() ? set.namespace() : given.namespace();
    ObjectKey key = given.in(type.namespaced() ? own : "");
    try {
      Optional<ObjectNode> before = patiently(() -> api.get(type, key));
      String other = before.map(ApplyPreview::partOf).orElse("");
      if (!other.isEmpty() && !other.equals(set.id())) {
        return row(manifest, "taken", List.of(), "left alone, since it belongs to set " + other);
      }
      ObjectNode after =
          patiently(
              () ->
                  api.dryRun(
                      new ApplyRequest(
                          type, key, set.member(manifest), manager, force, Content.FULL)));
      if (before.isEmpty()) {
        return row(manifest, "created", List.of(), "");
      }
      List<String> fields = new ArrayList<>();
      boolean secret = given.kind().equals("Secret") && given.group().isEmpty();
      compare("", before.get(), after, secret, fields);
      return row(manifest, fields.isEmpty() ? "unchanged" : "changed", fields, "");
    } catch (ApiException e) {
      return e.failure().code() == 404 && namespaces.contains(key.namespace())
          ? row(manifest, "created", List.of(), "not checked: its namespace is in the files")
          : row(manifest, "failed", List.of(), e.getMessage());
    }
  }

  private static String partOf(ObjectNode object) {
    return object.path("metadata").path("labels").path(Observe.PART_OF).asText("");
  }

  private static Row row(Manifest manifest, String outcome, List<String> fields, String words) {
    return new Row(manifest.key().toString(), manifest.source().toString(), outcome, fields, words);
  }

  private static void compare(
      String path, JsonNode before, JsonNode after, boolean hidden, List<String> fields) {
    if (before.equals(after)) {
      return;
    }
    if (!before.isObject() || !after.isObject()) {
      fields.add(
          hidden && (path.startsWith(".data") || path.startsWith(".metadata.annotations"))
              ? path + ": changes"
              : path + ": " + shown(before) + " -> " + shown(after));
      return;
    }
    Set<String> names = new TreeSet<>();
    before.fieldNames().forEachRemaining(names::add);
    after.fieldNames().forEachRemaining(names::add);
    for (String name : names) {
      boolean skipped =
          path.isEmpty() && name.equals("status")
              || path.equals(".metadata") && OF_SERVERS.contains(name);
      if (!skipped) {
        compare(path + "." + name, before.path(name), after.path(name), hidden, fields);
      }
    }
  }

  private static String shown(JsonNode value) {
    String text = value.isMissingNode() ? "none" : value.toString();
    return text.length() > 120 ? text.substring(0, 120) + "…" : text;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.cli.measure.MeasurementException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Deletes what a load created: objects with its label and a name that begins as its names do, each
 * only if it is still the object that was listed. A namespace in which somebody else has objects
 * stays. Used by one thread.
 */
final class Removal {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String METADATA =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
  private static final int UNDER_WAY = 100;
  private static final long PAUSE_MS = 500;

  /** Kinds by which a foreign user of a namespace is noticed. */
  private static final List<String> WATCHED =
      List.of(
          "/api/v1/namespaces/%s/configmaps",
          "/api/v1/namespaces/%s/secrets",
          "/api/v1/namespaces/%s/services",
          "/api/v1/namespaces/%s/pods",
          "/api/v1/namespaces/%s/persistentvolumeclaims",
          "/apis/apps/v1/namespaces/%s/daemonsets",
          "/apis/apps/v1/namespaces/%s/deployments",
          "/apis/apps/v1/namespaces/%s/statefulsets",
          "/apis/batch/v1/namespaces/%s/jobs");

  /** Kubernetes, its distributions and meshes put such names into every namespace. */
  private static final Pattern OF_EVERY_NAMESPACE =
      Pattern.compile(".*(-ca\\.crt|-ca-root-cert|-dockercfg-[^.]*)");

  /** Controllers copy objects of these kinds into a namespace when it is new. */
  private static final Set<String> COPIED = Set.of("configmaps", "secrets");

  private static final Duration NEW = Duration.ofSeconds(60);

  private final Run run;
  private final Load load;
  private final String only;
  private final Consumer<String> tell;
  private final long deadline;
  private final Map<Resource, Integer> deleted = new EnumMap<>(Resource.class);
  private final Map<Resource, MeasurementException> failed = new EnumMap<>(Resource.class);
  private final Set<String> foreign = new TreeSet<>();
  private final AtomicReference<String> refusal = new AtomicReference<>("");
  private final AtomicBoolean isForbidden = new AtomicBoolean();
  private double seconds;

  /**
   * Deletes nothing yet.
   *
   * @param only run whose objects are deleted; empty for all runs of the load
   * @param deadline of {@link System#nanoTime}; nothing is sent after it
   */
  Removal(Run run, Load load, String only, Consumer<String> tell, long deadline) {
    this.run = run;
    this.load = load;
    this.only = only;
    this.tell = tell;
    this.deadline = deadline;
  }

  /**
   * An object as the server lists it.
   *
   * @param created as Kubernetes writes times; empty if the server does not say
   */
  private record Item(
      String namespace, String name, String uid, String created, boolean isEnding) {}

  /**
   * Deletes and waits until none is left; namespaces may still be ending. A resource that the
   * account may not list or delete does not keep the others.
   *
   * @return what this and earlier calls deleted
   * @throws MeasurementException if something is left at the deadline or is refused, with the next
   *     action
   */
  LoadReport.CleanUp run() {
    long began = System.nanoTime();
    failed.clear();
    String known = "";
    while (true) {
      int refused = failed.size();
      List<String> left = load.resources().stream().map(this::round).toList();
      String words = left.stream().filter(each -> !each.isEmpty()).collect(joining(", "));
      if (failed.size() > refused && !known.isEmpty() && System.nanoTime() >= deadline) {
        // A list that no time was left for says less than the round before.
        throw failure(known);
      }
      if (words.isEmpty()) {
        break;
      }
      known = words + " still exist" + (refusal.get().isEmpty() ? "" : " (" + refusal.get() + ")");
      pause(known);
    }
    seconds += (System.nanoTime() - began) / 1e9;
    Map<String, Integer> counts = new LinkedHashMap<>();
    deleted.forEach((resource, count) -> counts.put(resource.plural(), count));
    requireAll();
    return new LoadReport.CleanUp(counts, seconds);
  }

  private void requireAll() {
    List<MeasurementException> all = List.copyOf(failed.values());
    if (!all.isEmpty()) {
      MeasurementException first = all.getFirst();
      all.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
    if (!foreign.isEmpty()) {
      throw new MeasurementException(
          "the namespaces %s hold objects that the command did not create, so the namespaces remain; delete them with kubectl"
              .formatted(String.join(", ", foreign)));
    }
  }

  /** Deletes once what is there, and tells what is left; empty for nothing that will go. */
  private String round(Resource resource) {
    if (failed.containsKey(resource)) {
      return "";
    }
    try {
      List<Item> items = ours(resource);
      if (items.isEmpty()) {
        return "";
      }
      List<Item> fresh = items.stream().filter(each -> !each.isEnding()).toList();
      int count = delete(resource, fresh);
      if (count > 0) {
        deleted.merge(resource, count, Integer::sum);
        tell.accept("deleted %d %s".formatted(count, resource.plural()));
      }
      if (isForbidden.getAndSet(false)) {
        throw failure(
            "delete %s: %s; give the account this right, and"
                .formatted(resource.plural(), refusal.getAndSet("")));
      }
      int left = ours(resource).size();
      return left == 0 ? "" : "%d %s".formatted(left, resource.plural());
    } catch (MeasurementException e) {
      failed.put(resource, e);
      return "";
    }
  }

  /** Those that the command may delete. */
  private List<Item> ours(Resource resource) {
    List<Item> all =
        list(resource.plural(), resource.all(), Labels.selector(load.name(), only)).stream()
            .filter(each -> each.name().startsWith(Labels.PREFIX))
            .toList();
    if (resource != Resource.NAMESPACES) {
      return all;
    }
    // A namespace may take long to end, and needs nobody for it.
    List<Item> free = new ArrayList<>();
    foreign.clear();
    for (Item each : all) {
      if (!each.isEnding()) {
        if (isUsed(each)) {
          foreign.add(each.name());
        } else {
          free.add(each);
        }
      }
    }
    return free;
  }

  private boolean isUsed(Item namespace) {
    String notOurs = "%21" + Labels.LOAD.replace("/", "%2F");
    for (String path : WATCHED) {
      String resource = path.substring(path.lastIndexOf('/') + 1);
      boolean isUsed =
          list(resource, path.formatted(namespace.name()), notOurs).stream()
              .anyMatch(each -> !isOfEveryNamespace(resource, each, namespace));
      if (isUsed) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfEveryNamespace(String resource, Item item, Item namespace) {
    if (!COPIED.contains(resource)) {
      return false;
    }
    if (OF_EVERY_NAMESPACE.matcher(item.name()).matches()) {
      return true;
    }
    if (item.created().isEmpty() || namespace.created().isEmpty()) {
      return false;
    }
    Instant end = Instant.parse(namespace.created()).plus(NEW);
    return Instant.parse(item.created()).isBefore(end);
  }

  private List<Item> list(String resource, String path, String selector) {
    List<Item> all = new ArrayList<>();
    String next = "";
    while (true) {
      String query = "?limit=500&labelSelector=" + selector;
      Answer answer =
          patiently(
              Call.list(resource, path + query + (next.isEmpty() ? "" : "&continue=" + next))
                  .accepting(METADATA));
      if (answer.status() == Answer.GONE) {
        // The server forgot the revision of the first page, so the list begins anew.
        all.clear();
        next = "";
        pause("list %s: %s".formatted(resource, answer.words()));
      } else {
        next = read(resource, answer, all);
        if (next.isEmpty()) {
          return all;
        }
      }
    }
  }

  /** Adds a page to the list; tells where the next one begins, or empty. */
  private static String read(String resource, Answer answer, List<Item> all) {
    try {
      JsonNode page = JSON.readTree(answer.body());
      for (JsonNode item : page.path("items")) {
        JsonNode metadata = item.path("metadata");
        all.add(
            new Item(
                metadata.path("namespace").asText(),
                metadata.path("name").asText(),
                metadata.path("uid").asText(),
                metadata.path("creationTimestamp").asText(),
                metadata.has("deletionTimestamp")));
      }
      return page.at("/metadata/continue").asText();
    } catch (IOException e) {
      throw new MeasurementException(
          "the list of %s cannot be read (%s); check --context, and repeat with --clean-up"
              .formatted(resource, e.getMessage()));
    }
  }

  /** The server may still be busy with what it was given, and a token may just have expired. */
  private Answer patiently(Call call) {
    while (true) {
      Answer answer = ask(call);
      if (answer.isOk() || answer.status() == Answer.GONE) {
        return answer;
      }
      String words = "%s: %s".formatted(call.operation(), answer.words());
      boolean mayChange =
          answer.status() == Answer.TOO_MANY_REQUESTS || answer.status() == Answer.UNAUTHORIZED;
      if (answer.status() / 100 == 4 && !mayChange) {
        throw failure(words + "; check the rights of the account, and");
      }
      pause(words);
    }
  }

  private Answer ask(Call call) {
    long left = deadline - System.nanoTime();
    if (left <= 0) {
      return Answer.none("no time is left");
    }
    return run.ask(call, Duration.ofNanos(left));
  }

  /** How many were deleted, or were gone already. */
  private int delete(Resource resource, List<Item> items) {
    AtomicInteger done = new AtomicInteger();
    Semaphore free = new Semaphore(UNDER_WAY);
    refusal.set("");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Item item : items) {
        threads.execute(
            () -> {
              free.acquireUninterruptibly();
              try {
                if (delete(resource, item)) {
                  done.incrementAndGet();
                }
              } finally {
                free.release();
              }
            });
      }
    }
    return done.get();
  }

  private boolean delete(Resource resource, Item item) {
    Answer answer = ask(deletion(resource, item));
    if (answer.isOk() || answer.status() == Answer.NOT_FOUND) {
      return true;
    }
    refusal.compareAndSet("", answer.words());
    if (answer.status() == Answer.FORBIDDEN) {
      refusal.set(answer.words());
      isForbidden.set(true);
    }
    return false;
  }

  private static Call deletion(Resource resource, Item item) {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("apiVersion", "v1");
    options.put("kind", "DeleteOptions");
    options.put("preconditions", Map.of("uid", item.uid()));
    options.put("propagationPolicy", "Background");
    if (resource == Resource.PODS) {
      // No kubelet ends the pods of a simulated node.
      options.put("gracePeriodSeconds", 0);
    }
    return Call.delete(resource.plural(), resource.in(item.namespace()) + "/" + item.name())
        .withJson(NodeBody.json(options));
  }

  private void pause(String problem) {
    // Behind the deadline, nothing could be asked that says more than this.
    if (deadline - System.nanoTime() <= TimeUnit.MILLISECONDS.toNanos(PAUSE_MS)) {
      throw failure(problem + ";");
    }
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private MeasurementException failure(String problem) {
    return new MeasurementException(
        "%s run 'exactl bench %s --clean-up' again".formatted(problem, load.name()));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import io.exaplane.tuning.lists.Inventory.Resource;
import io.exaplane.tuning.model.StreamingLists;
import io.exaplane.tuning.version.MinorVersion;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What one client did. Its memory is bounded, however many instances it has. */
final class Profile {
  private static final int MOST_INSTANCES = 100_000;
  private static final int MOST_SELECTIONS = 20_000;
  private static final int FEW_INSTANCES = 10;

  /** They have to know all that they read. */
  private static final Set<String> ON_EVERY_NODE = Set.of("kubelet", "kube-proxy");

  private static final double MANY_PAGES = 10;

  /** Below this, what a request reads is not worth a finding. */
  private static final double SMALL_OBJECTS = 100;

  /** So many selectors of one instance, with which it reads all objects so many times. */
  private static final int MANY_SELECTORS = 20;

  private static final double OVER_AND_OVER = 20;

  /** In a long log, reading everything less often than this costs little. */
  private static final double SELDOM_READ_SECONDS = 180;

  private static final int DISCOVERY_DOCUMENTS = 10;
  private static final int REFUSALS = 20;
  private static final int REFUSAL_WINDOW_SECONDS = 10;

  private final MinorVersion server;
  private final Inventory inventory;
  private final Map<Finding, Long> seen = new EnumMap<>(Finding.class);
  private final Map<String, Asked> asked = new HashMap<>();
  private final Map<String, Long> servedBy = new TreeMap<>();
  private final Map<String, long[]> instances = new HashMap<>();
  private final Set<String> documents = new HashSet<>();
  private final Windows refusals = new Windows(REFUSAL_WINDOW_SECONDS);
  private Cost cost = Cost.NOTHING;
  private long requests;
  private long lists;
  private long failed;
  private long documentsAsked;

  Profile(MinorVersion server, Inventory inventory) {
    this.server = server;
    this.inventory = inventory;
  }

  void take(AuditEvent event) {
    requests++;
    active(event.sourceIp(), event.receivedMicros());
    if (event.code() == 429 || event.code() >= 500) {
      failed++;
      refusals.add(event.receivedMicros());
    }
    // What is refused costs nothing; what failed later, or timed out, was worked on.
    if (event.code() >= 400 && event.code() < 500) {
      return;
    }
    if (event.resource().isEmpty()) {
      discovery(event);
    } else if (event.verb().equals("list")) {
      list(event);
    } else if (event.verb().equals("watch")) {
      watch(event);
    }
  }

  private void list(AuditEvent event) {
    ListQuery query = ListQuery.of(event.uri());
    Resource resource = inventory.resource(event.resource());
    ServedBy from = ServedBy.of(server, query, !Uncached.is(event.resource()));
    Asked before = asked(event, query);
    int page = query.continued() ? before.nextPage() : 0;
    Cost one =
        Cost.ofList(server, query, from, inventory, event.resource(), event.namespace(), page);
    double read = one.storeObjects() + one.cacheObjects();
    boolean much = read >= SMALL_OBJECTS;
    before.reads(read);
    if (!query.continued()) {
      before.list(event.receivedMicros(), read, much, everything(event, query));
    }
    lists++;
    servedBy.merge(from.name().toLowerCase(Locale.ROOT), 1L, Long::sum);
    cost = cost.plus(one);
    if (much) {
      judge(event, query, from, resource, page);
    }
  }

  private void judge(
      AuditEvent event, ListQuery query, ServedBy from, Resource resource, int page) {
    boolean uncached = Uncached.is(event.resource());
    if (from == ServedBy.STORE && !uncached) {
      if (query.continued()) {
        found(Finding.PAGES_FROM_STORE);
      } else if (query.unset() && query.limit() == 0) {
        found(Finding.STORE_READS);
      } else if (!query.unset()) {
        found(Finding.EXACT_READS);
      }
    }
    if (query.zero() && query.limit() > 0 && resource.objects() > query.limit()) {
      asked(event, query).limitIgnored();
    }
    if (from == ServedBy.SNAPSHOT && page >= MANY_PAGES) {
      found(Finding.MANY_PAGES);
    }
    boolean indexed =
        query.selectsNode() && event.resource().equals("pods") && from == ServedBy.CACHE;
    if (query.selects()
        && !indexed
        && !query.selectsName()
        && event.namespace().isEmpty()
        && asked(event, query).polls()) {
      found(Finding.SELECTOR_WITHOUT_INDEX);
    }
  }

  private void watch(AuditEvent event) {
    ListQuery query = ListQuery.of(event.uri());
    boolean legacy = query.resourceVersion().isEmpty() || query.zero();
    if (query.initialEvents() || legacy) {
      Cost one = Cost.ofInitialEvents(inventory, query, event.resource(), event.namespace());
      cost = cost.plus(one);
      double read = one.cacheObjects();
      asked(event, query).stream(
          event.receivedMicros(), read, read >= SMALL_OBJECTS, everything(event, query));
      double objects = inventory.resource(event.resource()).objects();
      if (query.initialEvents() && StreamingLists.starveWriters(server, objects)) {
        found(Finding.WATCH_LISTS_OF_LARGE);
      }
    }
    Asked before = asked(event, query);
    before.watch(before.objects() >= SMALL_OBJECTS);
  }

  private static boolean everything(AuditEvent event, ListQuery query) {
    return event.namespace().isEmpty() && !query.selects();
  }

  private void active(String address, long micros) {
    long[] times = instances.get(address);
    if (times == null) {
      if (instances.size() < MOST_INSTANCES) {
        instances.put(address, new long[] {micros, micros});
      }
      return;
    }
    times[0] = Math.min(times[0], micros);
    times[1] = Math.max(times[1], micros);
  }

  private void discovery(AuditEvent event) {
    String path = event.uri().replaceFirst("\\?.*", "");
    if (path.matches("/apis/[^/]+/[^/]+|/api/v1")) {
      documents.add(path);
      documentsAsked++;
    }
  }

  private Asked asked(AuditEvent event, ListQuery query) {
    String key =
        event.sourceIp()
            + " "
            + event.resource()
            + " "
            + event.namespace()
            + " "
            + query.selection();
    if (asked.size() >= MOST_SELECTIONS && !asked.containsKey(key)) {
      return new Asked(event.sourceIp(), event.resource(), query.selects());
    }
    return asked.computeIfAbsent(
        key, unknown -> new Asked(event.sourceIp(), event.resource(), query.selects()));
  }

  /** Whether most of what it reads is little at a time, asked for again and again. */
  boolean asksOften() {
    return isMost(asked.values().stream().mapToDouble(Asked::readByAsking).sum());
  }

  /** Whether most of what it reads is what an informer, or a single look, reads. */
  boolean isBlameless() {
    return isMost(
        asked.values().stream().filter(Asked::isBlameless).mapToDouble(Asked::read).sum());
  }

  private boolean isMost(double read) {
    return read > 0.5 * (cost.storeObjects() + cost.cacheObjects());
  }

  /** By how many selectors instances read the same objects over and over; 0 if none does. */
  private long selectors(double seconds) {
    Map<String, Double> read = new HashMap<>();
    Map<String, Long> selectors = new HashMap<>();
    for (Asked one : asked.values()) {
      double objects = inventory.resource(one.resource()).objects();
      if (one.selectsOnly() && objects >= SMALL_OBJECTS) {
        String key = one.address() + " " + one.resource();
        double parts = one.read() / objects;
        read.merge(key, parts, Double::sum);
        selectors.merge(key, 1L, Long::sum);
      }
    }
    double often = Math.max(OVER_AND_OVER, seconds / SELDOM_READ_SECONDS);
    return selectors.entrySet().stream()
        .filter(entry -> entry.getValue() >= MANY_SELECTORS && read.get(entry.getKey()) >= often)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Whether there is something that it reads. */
  boolean reads() {
    return lists > 0 || cost.cacheObjects() > 0;
  }

  private void found(Finding finding) {
    seen.merge(finding, 1L, Long::sum);
  }

  /**
   * What is to be said of it.
   *
   * @param seconds how long the log is
   */
  ClientReport report(ClientKey key, boolean sharesAccount, double seconds) {
    Map<Finding, Long> findings = new EnumMap<>(seen);
    long polling = asked.values().stream().filter(Asked::polls).count();
    if (polling > 0) {
      findings.put(Finding.POLLING, polling);
    }
    long ignored = asked.values().stream().mapToLong(Asked::ignoredLimits).sum();
    if (ignored > 0) {
      findings.put(Finding.LIMIT_IGNORED, ignored);
    }
    if (sharesAccount) {
      findings.put(Finding.SHARED_ACCOUNT, 1L);
    }
    long relisting = asked.values().stream().filter(Asked::relists).count();
    if (relisting > 0) {
      findings.put(Finding.RELISTS, relisting);
    }
    long selectors = selectors(seconds);
    if (selectors > 0) {
      findings.put(Finding.MANY_SELECTORS, selectors);
    }
    int inStep = new Starts(asked.values(), instances, seconds).inStep();
    if (inStep > 0) {
      findings.put(Finding.RESTARTS_IN_STEP, (long) inStep);
    }
    if (refusals.most() >= REFUSALS && failed > 0.5 * requests) {
      findings.put(Finding.RETRY_STORM, failed);
    }
    if (documents.size() >= DISCOVERY_DOCUMENTS && documentsAsked >= 2L * documents.size()) {
      findings.put(Finding.COLD_DISCOVERY, documentsAsked);
    }
    long everywhere =
        asked.values().stream().filter(Asked::everything).map(Asked::address).distinct().count();
    if (everywhere >= FEW_INSTANCES
        && findings.keySet().stream().allMatch(Finding.SHARED_ACCOUNT::equals)
        && !ON_EVERY_NODE.contains(key.program())) {
      findings.put(Finding.EVERYTHING_EVERYWHERE, everywhere);
    }
    return new ClientReport(
        key, requests, lists, failed, instances.size(), Map.copyOf(servedBy), cost, findings);
  }
}

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
  private static final double MANY_PAGES = 10;

  /** Below this, what a request reads is not worth a finding. */
  private static final double SMALL_OBJECTS = 100;

  private static final int DISCOVERY_DOCUMENTS = 10;
  private static final int REFUSALS = 20;
  private static final int REFUSAL_WINDOW_SECONDS = 10;

  private final MinorVersion server;
  private final Inventory inventory;
  private final Map<Finding, Long> seen = new EnumMap<>(Finding.class);
  private final Map<String, Asked> asked = new HashMap<>();
  private final Map<String, Long> servedBy = new TreeMap<>();
  private final Set<String> instances = new HashSet<>();
  private final Set<String> restartedThisMinute = new HashSet<>();
  private final Set<String> documents = new HashSet<>();
  private final Windows refusals = new Windows(REFUSAL_WINDOW_SECONDS);
  private Cost cost = Cost.NOTHING;
  private long requests;
  private long lists;
  private long failed;
  private long documentsAsked;
  private long minute = Long.MIN_VALUE;
  private int mostRestarted;

  Profile(MinorVersion server, Inventory inventory) {
    this.server = server;
    this.inventory = inventory;
  }

  void take(AuditEvent event) {
    requests++;
    if (instances.size() < MOST_INSTANCES) {
      instances.add(event.sourceIp());
    }
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
    boolean much = one.storeObjects() + one.cacheObjects() >= SMALL_OBJECTS;
    if (!query.continued()) {
      before.list(event.receivedMicros(), much);
      started(event, before);
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
      cost = cost.plus(Cost.ofInitialEvents(inventory, query, event.resource(), event.namespace()));
      started(event, asked(event, query));
      double objects = inventory.resource(event.resource()).objects();
      if (query.initialEvents() && StreamingLists.starveWriters(server, objects)) {
        found(Finding.WATCH_LISTS_OF_LARGE);
      }
    }
    asked(event, query).watch();
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
      return new Asked();
    }
    return asked.computeIfAbsent(key, unknown -> new Asked());
  }

  /** An instance begins with a selection; counted once a minute if it had begun with it before. */
  private void started(AuditEvent event, Asked selection) {
    if (!selection.beginsAnew()) {
      return;
    }
    long now = Math.floorDiv(event.receivedMicros(), 60_000_000L);
    if (now != minute) {
      minute = now;
      restartedThisMinute.clear();
    }
    if (restartedThisMinute.size() < MOST_INSTANCES) {
      restartedThisMinute.add(event.sourceIp());
    }
    mostRestarted = Math.max(mostRestarted, restartedThisMinute.size());
  }

  private void found(Finding finding) {
    seen.merge(finding, 1L, Long::sum);
  }

  ClientReport report(ClientKey key, boolean sharesAccount) {
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
    boolean inStep = mostRestarted >= FEW_INSTANCES && mostRestarted > 0.5 * instances.size();
    if (inStep && polling == 0) {
      findings.put(Finding.RESTARTS_IN_STEP, (long) mostRestarted);
    }
    if (refusals.most() >= REFUSALS && failed > 0.5 * requests) {
      findings.put(Finding.RETRY_STORM, failed);
    }
    if (documents.size() >= DISCOVERY_DOCUMENTS && documentsAsked >= 2L * documents.size()) {
      findings.put(Finding.COLD_DISCOVERY, documentsAsked);
    }
    return new ClientReport(
        key, requests, lists, failed, instances.size(), Map.copyOf(servedBy), cost, findings);
  }
}

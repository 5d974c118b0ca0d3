// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import io.exaplane.tuning.version.MinorVersion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Takes the requests of an audit log one by one and ranks the clients by what their LISTs cost. Not
 * for more than one thread.
 */
public final class ListAnalysis {
  /** More clients than these are put together: no real cluster has as many programs. */
  private static final int MOST_CLIENTS = 50_000;

  /** A share says something only among several clients. */
  private static final int SEVERAL = 5;

  private static final double MUCH = 0.2;

  /** A client that costs less a second, as {@link Cost#score} counts, needs no word. */
  private static final double LITTLE_A_SECOND = 50_000;

  private static final double SHORT_SECONDS = 60;

  /** Accounts of one name in so many namespaces are one client, if that tells more. */
  private static final int FAMILY = 10;

  private static final ClientKey OTHERS = new ClientKey("others", "others");

  private final MinorVersion server;
  private final Inventory inventory;
  private final Map<ClientKey, Profile> profiles = new HashMap<>();
  private final Map<ClientKey, Profile> families = new HashMap<>();
  private final Set<String> uncounted = new TreeSet<>();
  private long firstMicros = Long.MAX_VALUE;
  private long lastMicros = Long.MIN_VALUE;

  public ListAnalysis(MinorVersion server, Inventory inventory) {
    this.server = server;
    this.inventory = inventory;
  }

  public void take(AuditEvent event) {
    firstMicros = Math.min(firstMicros, event.receivedMicros());
    lastMicros = Math.max(lastMicros, event.receivedMicros());
    boolean reads = event.verb().equals("list") || event.verb().equals("watch");
    if (reads && !inventory.has(event.resource()) && uncounted.size() < MOST_CLIENTS) {
      uncounted.add(event.resource());
    }
    ClientKey key = ClientKey.of(event);
    if (profiles.size() >= MOST_CLIENTS && !profiles.containsKey(key)) {
      key = OTHERS;
    }
    profiles.computeIfAbsent(key, unknown -> new Profile(server, inventory)).take(event);
    if (key.hasFamily()) {
      families.computeIfAbsent(key.family(), unknown -> new Profile(server, inventory)).take(event);
    }
  }

  /** Seconds between the first request and the last. */
  public double seconds() {
    return profiles.isEmpty() ? 0 : (lastMicros - firstMicros) / 1e6;
  }

  /** Resources that were listed and of which it is not known how many there are. */
  public Set<String> uncounted() {
    return Collections.unmodifiableSet(uncounted);
  }

  /** The clients, the dearest first. */
  public List<ClientReport> clients() {
    Set<String> shared = sharedAccounts();
    List<ClientReport> ranked = new ArrayList<>(ranked(shared));
    if (ranked.size() >= SEVERAL) {
      ranked.set(0, explained(ranked));
    }
    return List.copyOf(ranked);
  }

  private static boolean isAccused(ClientReport report) {
    return report.findings().keySet().stream().anyMatch(f -> f != Finding.SHARED_ACCOUNT);
  }

  /**
   * The dearest client is not without a word why, unless it costs little or did only what whoever
   * has to know the objects does.
   */
  private ClientReport explained(List<ClientReport> ranked) {
    ClientReport first = ranked.getFirst();
    double total = ranked.stream().mapToDouble(report -> report.cost().score()).sum();
    Profile profile = profiles.getOrDefault(first.client(), families.get(first.client()));
    double score = first.cost().score();
    boolean isLittle = score < LITTLE_A_SECOND * Math.max(SHORT_SECONDS, seconds());
    if (isAccused(first) || !profile.reads() || score < MUCH * total || isLittle) {
      return first;
    }
    if (!profile.asksOften() && profile.isBlameless()) {
      return first;
    }
    Map<Finding, Long> findings = new EnumMap<>(Finding.class);
    findings.putAll(first.findings());
    findings.put(profile.asksOften() ? Finding.POLLING : Finding.DEAREST, first.lists());
    return first.with(findings);
  }

  private List<ClientReport> ranked(Set<String> shared) {
    Map<ClientKey, List<ClientReport>> byFamily = new HashMap<>();
    List<ClientReport> reports = new ArrayList<>();
    for (Map.Entry<ClientKey, Profile> entry : profiles.entrySet()) {
      ClientKey key = entry.getKey();
      ClientReport report = entry.getValue().report(key, shared.contains(key.account()), seconds());
      if (key.hasFamily()) {
        byFamily.computeIfAbsent(key.family(), any -> new ArrayList<>()).add(report);
      } else {
        reports.add(report);
      }
    }
    byFamily.forEach((family, members) -> reports.addAll(familyOrMembers(family, members)));
    return reports.stream()
        .sorted(
            Comparator.comparingDouble((ClientReport report) -> -report.cost().score())
                .thenComparing(report -> report.client().toString()))
        .toList();
  }

  /**
   * What jobs do with an account for each namespace shows only when they are seen together. What a
   * few of them do by themselves is told of those, beside the others.
   */
  private List<ClientReport> familyOrMembers(ClientKey family, List<ClientReport> members) {
    if (members.size() < FAMILY) {
      return members;
    }
    ClientReport together = families.get(family).report(family, false, seconds());
    Set<Finding> told = EnumSet.noneOf(Finding.class);
    members.forEach(member -> told.addAll(member.findings().keySet()));
    told.remove(Finding.SHARED_ACCOUNT);
    if (told.containsAll(together.findings().keySet()) && !told.isEmpty()) {
      return members;
    }
    List<ClientReport> accused = members.stream().filter(ListAnalysis::isAccused).toList();
    if (accused.size() >= 0.5 * members.size()) {
      return List.of(together);
    }
    ClientReport others = together;
    for (ClientReport one : accused) {
      others = others.without(one);
    }
    List<ClientReport> apart = new ArrayList<>(accused);
    apart.add(others);
    return apart;
  }

  private Set<String> sharedAccounts() {
    Set<String> once = new HashSet<>();
    Set<String> shared = new HashSet<>();
    for (ClientKey key : profiles.keySet()) {
      if (key.isServiceAccount() && !once.add(key.account())) {
        shared.add(key.account());
      }
    }
    return shared;
  }
}

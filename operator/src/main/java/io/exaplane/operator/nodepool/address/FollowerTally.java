// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.operator.nodepool.address.NodeCounts.Followers;
import io.exaplane.operator.nodepool.address.NodeCounts.Group;
import io.exaplane.operator.nodepool.address.NodeCounts.Late;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Counts the Nodes of a pool by the CAs that their hosts said to follow. One thread. */
final class FollowerTally {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");

  /** Hosts write the names themselves, so that there may be a million. */
  private static final int MOST_GROUPS = 20;

  private final Map<String, One> groups = new HashMap<>();

  private static final class One {
    private final NavigableSet<Late> first = new TreeSet<>(Comparator.comparing(Late::node));
    private int number;

    int number() {
      return number;
    }
  }

  void add(NodeFacts node) {
    String id = ID.matcher(node.authorities()).matches() ? node.authorities() : "";
    One group = groups.computeIfAbsent(id, _ -> new One());
    group.number++;
    group.first.add(
        new Late(
            node.name(), !id.isEmpty(), PrefixRequest.plain(node.authoritiesFailure()).strip()));
    if (group.first.size() > NodeCounts.MOST_FAILURES) {
      group.first.pollLast();
    }
  }

  Followers followers() {
    SortedMap<String, Group> most = new TreeMap<>();
    groups.entrySet().stream()
        .sorted(
            Comparator.comparing((Map.Entry<String, One> group) -> -group.getValue().number())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(MOST_GROUPS)
        .forEach(
            group ->
                most.put(
                    group.getKey(),
                    new Group(group.getValue().number, List.copyOf(group.getValue().first))));
    return new Followers(most);
  }
}

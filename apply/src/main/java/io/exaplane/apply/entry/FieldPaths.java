// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.entry;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.apply.port.FieldManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The paths in sets of fields, for people: {@code .spec.replicas}. Pure; only fights need it. */
public final class FieldPaths {
  private FieldPaths() {}

  /**
   * A field that we lost.
   *
   * @param field path
   * @param manager who owns it now; empty when the server names nobody: the field was removed
   */
  public record Lost(String field, String manager) {}

  /**
   * The paths that a manager owns. An aggregated API may answer sets that make no sense: these have
   * no paths, since words about a fight must not end the engine.
   *
   * @param manager one element of {@code managedFields}
   * @return sorted paths of leaves
   */
  public static Set<String> of(FieldManager manager) {
    Set<String> paths = new TreeSet<>();
    try {
      walk(OwnedHash.tree(manager), "", paths);
    } catch (IllegalArgumentException e) {
      return Set.of();
    }
    return paths;
  }

  /**
   * What others took from us: what we own after our repair, and did not own before.
   *
   * @param before {@code managedFields} of the object that had drifted
   * @param after the same after our apply
   * @param name our name as a field manager
   * @return sorted by path; at most 16
   */
  public static List<Lost> lost(List<FieldManager> before, List<FieldManager> after, String name) {
    Set<String> taken = new TreeSet<>();
    after.stream().filter(one -> one.isApplyOf(name)).forEach(one -> taken.addAll(of(one)));
    before.stream().filter(one -> one.isApplyOf(name)).forEach(one -> taken.removeAll(of(one)));
    List<Lost> lost = new ArrayList<>();
    for (String path : taken) {
      if (lost.size() < 16) {
        lost.add(new Lost(path, owner(before, path, name)));
      }
    }
    return lost;
  }

  private static String owner(List<FieldManager> managers, String path, String name) {
    for (FieldManager one : managers) {
      if (!one.isApplyOf(name) && of(one).contains(path)) {
        return one.manager();
      }
    }
    return "";
  }

  private static void walk(JsonNode set, String path, Set<String> paths) {
    if (set.isEmpty()) {
      paths.add(path);
      return;
    }
    for (Map.Entry<String, JsonNode> child : set.properties()) {
      String element = child.getKey();
      if (element.equals(".")) {
        continue;
      }
      String rest = OwnedHash.rest(element);
      walk(
          child.getValue(),
          path + (element.startsWith("f:") ? "." + rest : "[" + rest + "]"),
          paths);
    }
  }
}

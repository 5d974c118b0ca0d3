// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes fields out of manifests that somebody else sets. What is not sent is not owned, and what is
 * not owned is no drift. Pure.
 */
public final class Ignored {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Ignored() {}

  /**
   * The same objects without ignored fields.
   *
   * @param manifests the objects
   * @param rules which fields of which objects
   * @param namespace of objects that name none
   * @return in the same order; objects that no rule is about are the same ones
   */
  public static List<Manifest> without(
      List<Manifest> manifests, List<IgnoreRule> rules, String namespace) {
    return rules.isEmpty()
        ? manifests
        : manifests.stream().map(one -> without(one, rules, namespace)).toList();
  }

  private static Manifest without(Manifest manifest, List<IgnoreRule> rules, String namespace) {
    ObjectKey key =
        manifest.key().namespace().isEmpty() ? manifest.key().in(namespace) : manifest.key();
    List<String> pointers =
        rules.stream()
            .filter(rule -> rule.isAbout(key) || rule.isAbout(manifest.key()))
            .flatMap(rule -> rule.pointers().stream())
            .distinct()
            .toList();
    if (pointers.isEmpty()) {
      return manifest;
    }
    ObjectNode root;
    try {
      root = (ObjectNode) JSON.readTree(manifest.body());
    } catch (IOException e) {
      throw new IllegalArgumentException(manifest + ": the body must be JSON", e);
    }
    pointers.forEach(pointer -> remove(root, IgnoreRule.steps(pointer), 0));
    byte[] body = Canonical.of(root);
    return new Manifest(
        manifest.gvk(),
        manifest.key(),
        body,
        Hashes.of(body),
        manifest.annotations(),
        manifest.source(),
        pointers);
  }

  /** Maps that only held what is removed go, too: an empty map would be owned. */
  private static void remove(JsonNode from, List<String> steps, int at) {
    String step = steps.get(at);
    boolean isLast = at + 1 == steps.size();
    if (from instanceof ObjectNode map) {
      JsonNode child = map.get(step);
      if (child == null) {
        return;
      }
      if (isLast) {
        map.remove(step);
      } else {
        boolean held = !child.isEmpty();
        remove(child, steps, at + 1);
        if (held && child.isObject() && child.isEmpty()) {
          map.remove(step);
        }
      }
    } else if (from instanceof ArrayNode list) {
      items(list, step).forEach(item -> remove(item, list, steps, at));
    }
  }

  private static void remove(JsonNode item, ArrayNode list, List<String> steps, int at) {
    if (at + 1 < steps.size()) {
      remove(item, steps, at + 1);
      return;
    }
    for (int index = 0; index < list.size(); index++) {
      if (list.get(index) == item) {
        list.remove(index);
        return;
      }
    }
  }

  private static List<JsonNode> items(ArrayNode list, String step) {
    List<JsonNode> items = new ArrayList<>();
    if (step.equals("*")) {
      list.forEach(items::add);
    } else if (step.matches("[0-9]{1,6}") && Integer.parseInt(step) < list.size()) {
      items.add(list.get(Integer.parseInt(step)));
    }
    return items;
  }
}

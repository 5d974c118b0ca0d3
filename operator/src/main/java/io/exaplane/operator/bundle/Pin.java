// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What one object's pods are made of, and what an operator last rendered for the same wishes.
 * Immutable.
 *
 * @param bundle that which made it; what users changed since is in it
 * @param operator the bundle of the operator that rendered last
 * @param id stands for the template in annotations
 * @param template as it is applied
 * @param rendered what that operator rendered last; null when it is the same
 */
record Pin(String bundle, String operator, String id, JsonNode template, JsonNode rendered) {
  private static final String ROTATION = "exaplane.io/rotation";
  private static final String RESTARTED = "exaplane.io/restarted-at";

  /** On pods: facts about what is there. Whoever renders, these pass. */
  private static final List<String> FACTS =
      List.of(
          "exaplane.io/store-data",
          "exaplane.io/certificates",
          "exaplane.io/kubernetes-version",
          RESTARTED,
          ROTATION);

  /** Of these, those that cannot wait for other control planes. */
  private static final List<String> URGENT =
      List.of("exaplane.io/store-data", "exaplane.io/certificates");

  /** Also on pods that never had them: a person asked for that. */
  private static final Set<String> ASKED_FOR = Set.of(RESTARTED, ROTATION);

  /** More than facts: with a step of a rotation flags change, and a restart is what stopped. */
  private static final Set<String> OF_A_ROLLOUT = Set.of(RESTARTED, ROTATION);

  /** Of what this operator renders, with nothing pinned. */
  static Pin fresh(String operator, JsonNode rendered) {
    return new Pin(operator, operator, id(rendered), rendered, null);
  }

  /**
   * Of an object that is there, and of which nothing is known but what the API server shows.
   *
   * @param id what the object says of its template; null for nothing
   */
  static Pin found(String bundle, String operator, String id, JsonNode seen, JsonNode rendered) {
    JsonNode template = facts(seen, rendered);
    return of(
        bundle,
        operator,
        id == null || !template.equals(seen) ? id(template) : id,
        template,
        rendered);
  }

  /**
   * The next one, when the running operator renders this.
   *
   * @param former what the running operator renders for the wishes of before; asked for when
   *     another operator rendered last
   */
  Pin next(String running, JsonNode now, Supplier<JsonNode> former) {
    JsonNode before = running.equals(operator) ? wanted() : former.get();
    JsonNode merged = facts(ThreeWayMerge.merge(template, before, now), now);
    return of(bundle, running, merged.equals(template) ? id : id(merged), merged, now);
  }

  /** What stays while the object waits for its turn: all but facts that are urgent. */
  Pin waiting(JsonNode now) {
    JsonNode held = facts(template, now, URGENT);
    return held == template
        ? this
        : of(bundle, operator, id(held), held, facts(wanted(), now, URGENT));
  }

  /** The same with another name of what made it. */
  Pin of(String other) {
    return new Pin(other, operator, id, template, rendered);
  }

  /** Whether the running operator would make the pods otherwise. */
  boolean isPending() {
    return rendered != null;
  }

  /** What the operator that rendered last would apply. */
  JsonNode wanted() {
    return rendered == null ? template : rendered;
  }

  private static Pin of(
      String bundle, String operator, String id, JsonNode template, JsonNode rendered) {
    return new Pin(bundle, operator, id, template, rendered.equals(template) ? null : rendered);
  }

  /** A template with the facts of another one. */
  static JsonNode facts(JsonNode template, JsonNode now) {
    return facts(template, now, FACTS);
  }

  /** The same of an earlier template, which keeps those that are more than facts. */
  static JsonNode factsOfSettled(JsonNode template, JsonNode now) {
    return facts(
        template, now, FACTS.stream().filter(fact -> !OF_A_ROLLOUT.contains(fact)).toList());
  }

  private static JsonNode facts(JsonNode template, JsonNode now, List<String> which) {
    JsonNode there = template.path("metadata").path("annotations");
    JsonNode wanted = now.path("metadata").path("annotations");
    ObjectNode result = null;
    for (String fact : which) {
      JsonNode value = wanted.get(fact);
      boolean passes = there.has(fact) || ASKED_FOR.contains(fact) && template.isObject();
      if (value != null && passes && !value.equals(there.get(fact))) {
        result = result == null ? template.deepCopy() : result;
        result.withObject("metadata").withObject("annotations").set(fact, value);
      }
    }
    return result == null ? template : result;
  }

  static String id(JsonNode template) {
    try {
      byte[] text = Trees.text(template).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(text), 0, Long.BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}

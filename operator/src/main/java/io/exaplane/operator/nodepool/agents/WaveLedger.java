// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.api.v1alpha1.Reason;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What must outlive the operator of the waves of one pool. It is written before a pod is deleted:
 * an operator that dies between the two has counted too many, never too few. Immutable.
 *
 * @param spent restarts of waves that ended
 * @param wave the present one
 * @param hold why no wave begins or continues
 * @param resumed the annotation that ended a hold last; "" if none did
 */
record WaveLedger(List<Spent> spent, Optional<Wave> wave, Optional<Hold> hold, String resumed) {
  private static final JsonMapper JSON = new JsonMapper();

  /** Time after which a restart no longer counts. */
  static final Duration WINDOW = Duration.ofSeconds(60);

  /** Of a pool without a ledger nobody knows what restarted just now. */
  private static final int ALL = Integer.MAX_VALUE;

  WaveLedger {
    spent = List.copyOf(spent);
  }

  /** Restarts that happened at that time or before. */
  record Spent(Instant until, int pods) {
    boolean counts(Instant now) {
      return now.isBefore(until.plus(WINDOW));
    }
  }

  /**
   * Pods of one revision of an agent that restart together.
   *
   * @param agent as kube-system/cilium
   * @param uid of the DaemonSet
   * @param at when it began
   * @param until no pod of it is deleted later
   * @param isCarriedOut whether all of its pods are deleted
   * @param pods number of pods that it deletes
   * @param nodes that it has to leave with a Ready pod
   */
  record Wave(
      String agent,
      String uid,
      String revision,
      String zone,
      Instant at,
      Instant until,
      boolean isCarriedOut,
      int pods,
      NodeSet nodes) {
    Wave carriedOut(Instant now) {
      return new Wave(
          agent, uid, revision, zone, at, now.isBefore(until) ? now : until, true, pods, nodes);
    }
  }

  /** An incident; its time is its name. */
  record Hold(Instant at, Reason reason, String text) {
    String id() {
      return at.toString();
    }

    /** Whether a person who wrote that has seen it: its own time, or a later one. */
    boolean isNamedBy(String token) {
      if (token.equals(id())) {
        return true;
      }
      try {
        return !Instant.parse(token).isBefore(at);
      } catch (DateTimeException other) {
        return false;
      }
    }
  }

  /** Of a pool whose waves nobody knows: the first one begins a minute later. */
  static WaveLedger unknown(Instant now) {
    return new WaveLedger(List.of(new Spent(now, ALL)), Optional.empty(), Optional.empty(), "");
  }

  /** Restarts that count. */
  long used(Instant now) {
    long waves =
        wave.filter(one -> now.isBefore(one.until().plus(WINDOW))).map(Wave::pods).orElse(0);
    return waves + spent.stream().filter(one -> one.counts(now)).mapToLong(Spent::pods).sum();
  }

  String text() {
    ObjectNode tree = JSON.createObjectNode();
    spent.forEach(
        one ->
            tree.withArray("spent")
                .addObject()
                .put("until", one.until().toString())
                .put("pods", one.pods()));
    wave.ifPresent(
        one ->
            tree.putObject("wave")
                .put("agent", one.agent())
                .put("uid", one.uid())
                .put("revision", one.revision())
                .put("zone", one.zone())
                .put("at", one.at().toString())
                .put("until", one.until().toString())
                .put("carriedOut", one.isCarriedOut())
                .put("pods", one.pods())
                .put("nodes", one.nodes().encoded()));
    hold.ifPresent(
        one ->
            tree.putObject("hold")
                .put("at", one.at().toString())
                .put("reason", one.reason().name())
                .put("text", one.text()));
    return tree.put("resumed", resumed).toString();
  }

  /** The ledger of a text; empty if somebody changed it so that it is none. */
  static Optional<WaveLedger> parse(String text) {
    try {
      JsonNode tree = JSON.readTree(text);
      if (tree == null || !tree.isObject()) {
        return Optional.empty();
      }
      List<Spent> spent = new ArrayList<>();
      tree.path("spent")
          .forEach(
              one ->
                  spent.add(
                      new Spent(
                          Instant.parse(one.path("until").asText()),
                          Math.max(0, one.path("pods").asInt(ALL)))));
      return Optional.of(
          new WaveLedger(
              spent,
              tree.has("wave") ? Optional.of(wave(tree.path("wave"))) : Optional.empty(),
              tree.has("hold") ? Optional.of(hold(tree.path("hold"))) : Optional.empty(),
              tree.path("resumed").asText()));
    } catch (JsonProcessingException | DateTimeException | IllegalArgumentException changed) {
      return Optional.empty();
    }
  }

  private static Wave wave(JsonNode one) {
    return new Wave(
        one.path("agent").asText(),
        one.path("uid").asText(),
        one.path("revision").asText(),
        one.path("zone").asText(),
        Instant.parse(one.path("at").asText()),
        Instant.parse(one.path("until").asText()),
        one.path("carriedOut").asBoolean(),
        Math.max(0, one.path("pods").asInt(ALL)),
        NodeSet.decoded(one.path("nodes").asText()));
  }

  private static Hold hold(JsonNode one) {
    return new Hold(
        Instant.parse(one.path("at").asText()),
        one.path("reason").asText().equals(Reason.WaveNotReady.name())
            ? Reason.WaveNotReady
            : Reason.GateClosed,
        one.path("text").asText());
  }
}

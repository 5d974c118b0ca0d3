// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Four answers about a control plane: is it up, what is it doing, why not, whose move is it. Pure.
 *
 * @param up yes, no or unknown, with the words of the condition
 * @param whyNot what holds the control plane back; empty if nothing does
 * @param next what that one does
 */
public record Situation(String up, String doing, List<String> whyNot, Move move, String next) {
  /** Who acts next. */
  public enum Move {
    NOBODY("nobody's"),
    OPERATOR("the operator's"),
    YOU("yours");

    private final String words;

    Move(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /** Of a control plane as the API gives it. */
  public static Situation of(JsonNode plane) {
    Turn turn = turn(plane);
    return new Situation(up(plane), doing(plane), whyNot(plane), turn.move(), turn.next());
  }

  private record Turn(Move move, String next) {}

  private static String up(JsonNode plane) {
    return Condition.of(plane, "Available")
        .map(
            available ->
                (available.isTrue() ? "yes" : available.status().equals("False") ? "no" : "unknown")
                    + (available.since().isEmpty() ? "" : ", since " + available.since())
                    + ": "
                    + available.message())
        .orElse("no: the operator has not processed it yet");
  }

  private static String doing(JsonNode plane) {
    String leaving = plane.at("/metadata/deletionTimestamp").asText();
    if (!leaving.isEmpty()) {
      return Condition.of(plane, "Deleting")
          .map(deleting -> "deleting since " + leaving + ": " + deleting.message())
          .orElse("deleting since " + leaving);
    }
    JsonNode rollout = plane.at("/status/rollout");
    if (rollout.isObject()) {
      String stalled = rollout.path("stalledAt").asText();
      return "a rollout of %s: %s, since %s%s"
          .formatted(
              rollout.path("component").asText(),
              rollout.path("step").asText(),
              rollout.path("startedAt").asText(),
              stalled.isEmpty() ? "" : ", stopped at " + stalled);
    }
    if (plane.at("/status/turn/state").asText().equals("Waiting")) {
      return "waiting for its turn to replace pods: place %s, since %s"
          .formatted(
              plane.at("/status/turn/position").asText("unknown"),
              plane.at("/status/turn/since").asText());
    }
    return Condition.of(plane, "Progressing")
        .map(
            progressing ->
                progressing.isTrue()
                    ? progressing.reason() + ": " + progressing.message()
                    : "nothing: " + progressing.message())
        .orElse("nothing that the status tells");
  }

  private static List<String> whyNot(JsonNode plane) {
    List<String> words = new ArrayList<>();
    for (JsonNode gate : plane.at("/status/rollout/blockedBy")) {
      String figure = gate.path("number").asText();
      words.add(
          "the gate %s holds %s%s: %s"
              .formatted(
                  gate.path("gate").asText(),
                  gate.path("component").asText(),
                  figure.isEmpty()
                      ? ""
                      : " (%s, limit %s)".formatted(figure, gate.path("limit").asText("none")),
                  gate.path("message").asText()));
    }
    Condition.of(plane).stream()
        .filter(each -> !each.isGood() && !Condition.FOR_TOOLS.contains(each.type()))
        .filter(each -> !each.type().equals("Progressing") || each.status().equals("Unknown"))
        .map(each -> "%s %s: %s".formatted(each.type(), each.reason(), each.message()))
        .forEach(words::add);
    return words;
  }

  private static Turn turn(JsonNode plane) {
    if (isUnseen(plane)) {
      return new Turn(
          Move.OPERATOR,
          "The operator has not processed generation %s yet. If this persists for a minute, check that the operator runs."
              .formatted(plane.at("/metadata/generation").asText()));
    }
    Optional<Condition> stalled = Condition.of(plane, "Stalled").filter(Condition::isTrue);
    if (stalled.isPresent()) {
      return new Turn(Move.YOU, NextStep.of(stalled.get().message()));
    }
    Optional<Condition> moving =
        Condition.of(plane, "Deleting")
            .filter(Condition::isTrue)
            .or(() -> Condition.of(plane, "Reconciling").filter(Condition::isTrue));
    if (moving.isPresent()) {
      return new Turn(Move.OPERATOR, moving.get().message());
    }
    List<Condition> bad = Condition.of(plane).stream().filter(each -> !each.isGood()).toList();
    return bad.stream()
        .filter(each -> !NextStep.isNothing(each.message()))
        .findFirst()
        .map(each -> new Turn(Move.YOU, NextStep.of(each.message())))
        .orElseGet(
            () ->
                bad.isEmpty()
                    ? new Turn(Move.NOBODY, "Everything matches the spec.")
                    : new Turn(Move.OPERATOR, bad.getFirst().message()));
  }

  /** Whether the status tells of an earlier spec. */
  private static boolean isUnseen(JsonNode plane) {
    return Condition.of(plane).isEmpty()
        || plane.at("/status/observedGeneration").asLong()
            < plane.at("/metadata/generation").asLong();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.tuning.model.Bytes;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What became of a {@link ListStorm}.
 *
 * @param servedAfterSeconds from the kill until the first kube-apiserver was ready
 * @param recoveredAfterSeconds from the kill until each informer had a change that came after it;
 *     of a collapse, until the test gave up
 * @param collapse why the test gave up; "" when all informers recovered
 * @param calm renewals before the kill
 * @param stormy renewals between these two moments
 * @param peakBytes resident, of each kube-apiserver since the kill
 * @param ends how often one ended that nobody killed
 * @param outOfMemory how often one of them passed its limit
 * @param unready how often one was no longer ready though it did not end
 * @param before what the informers said before the kill
 * @param recovered what they said at the second of these moments
 * @param after what they said after one more change; the same as before that of a collapse
 * @param looks at the LISTs of each server
 */
record StormOutcome(
    String policy,
    double servedAfterSeconds,
    double recoveredAfterSeconds,
    String collapse,
    Renewals.Seen calm,
    Renewals.Seen stormy,
    List<Long> peakBytes,
    int ends,
    int outOfMemory,
    int unready,
    JsonNode before,
    JsonNode recovered,
    JsonNode after,
    List<StormLoad.Look> looks) {

  private int asked(String what) {
    return recovered.at("/requests/" + what).asInt() - before.at("/requests/" + what).asInt();
  }

  int fills() {
    return recovered.path("fills").asInt() - before.path("fills").asInt();
  }

  double mostListsPerSecond() {
    return looks.stream().mapToDouble(StormLoad.Look::listsPerSecond).max().orElse(0);
  }

  double mostInflight() {
    return looks.stream().mapToDouble(StormLoad.Look::inflight).max().orElse(0);
  }

  /** The outcomes beside each other, as a table of Markdown. */
  static String table(List<StormOutcome> outcomes) {
    StringBuilder table = new StringBuilder();
    row(table, "", outcomes.stream().map(StormOutcome::policy).toList());
    row(table, "---", outcomes.stream().map(o -> "---").toList());
    each(table, outcomes, "first server ready after, s", o -> text(o.servedAfterSeconds));
    each(table, outcomes, "all informers current after, s", StormOutcome::recovery);
    each(table, outcomes, "peak resident memory of each server", StormOutcome::peaks);
    each(table, outcomes, "servers killed for their memory", o -> "" + o.outOfMemory);
    each(table, outcomes, "second ends of servers", o -> "" + o.ends);
    each(table, outcomes, "unready again", o -> "" + o.unready);
    each(table, outcomes, "informers filled anew", o -> "" + o.fills());
    each(table, outcomes, "LISTs", o -> "" + o.asked("list"));
    each(table, outcomes, "streams with all objects", o -> "" + o.asked("stream"));
    each(table, outcomes, "watches", o -> "" + o.asked("watch"));
    each(table, outcomes, "answers with 429", o -> "" + o.asked("429"));
    each(table, outcomes, "answers with 403, 410, 504", StormOutcome::refusals);
    each(table, outcomes, "no answer", o -> "" + o.asked("unanswered"));
    each(table, outcomes, "most LISTs a second, one server", o -> text(o.mostListsPerSecond()));
    each(table, outcomes, "most requests in flight, one server", o -> text(o.mostInflight()));
    each(table, outcomes, "Lease renewals before, p50/p99/most ms", o -> millis(o.calm));
    each(table, outcomes, "in the storm, p50/p99/most ms", o -> millis(o.stormy));
    each(
        table,
        outcomes,
        "in the storm, of all with 429/failed",
        o ->
            "%d: %d/%d"
                .formatted(
                    o.stormy.millis().length + o.stormy.refused() + o.stormy.failed(),
                    o.stormy.refused(),
                    o.stormy.failed()));
    return table.toString();
  }

  private String recovery() {
    String seconds = text(recoveredAfterSeconds);
    return collapse.isEmpty() ? seconds : "not within " + seconds;
  }

  private String refusals() {
    return asked("403") + ", " + asked("410") + ", " + asked("504");
  }

  private String peaks() {
    return peakBytes.stream().map(bytes -> Bytes.text(bytes)).collect(Collectors.joining(", "));
  }

  private static String millis(Renewals.Seen seen) {
    return seen.millis().length == 0
        ? "none"
        : text(seen.percentile(0.5))
            + " / "
            + text(seen.percentile(0.99))
            + " / "
            + text(seen.percentile(1));
  }

  private static String text(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }

  private static void each(
      StringBuilder table,
      List<StormOutcome> outcomes,
      String name,
      Function<StormOutcome, String> cell) {
    row(table, name, outcomes.stream().map(cell).toList());
  }

  private static void row(StringBuilder table, String name, List<String> cells) {
    table.append("| ").append(name).append(" | ").append(String.join(" | ", cells)).append(" |\n");
  }
}

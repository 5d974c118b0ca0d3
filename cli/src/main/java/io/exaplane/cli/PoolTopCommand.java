// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.cli.measure.MeasurementException;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The tree of a scheduler's processes, as its root sees it. */
@Command(
    name = "top",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Shows the members of a scheduler's tree with their nodes and answer times, and the "
          + "progress of pods.",
      "Ask the root whose role is 'in charge'."
    })
final class PoolTopCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Spec private CommandSpec spec;

  @Option(
      names = "--address",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:10260",
      description = "URL of the scheduler's health and metrics (default: ${DEFAULT-VALUE}).")
  private String address;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description =
          "Repeats after this number of seconds, with rates; 0 shows the tree once (default: 0).")
  private int everySeconds;

  @Mixin private FormatOption chosen;

  @Override
  public Integer call() throws InterruptedException {
    if (everySeconds < 0 || everySeconds > 3600) {
      throw new InvalidInputException(
          "every", Integer.toString(everySeconds), "must lie between 0 and 3600", "see --help");
    }
    URI page = page();
    PrintWriter out = spec.commandLine().getOut();
    JsonNode before = null;
    do {
      JsonNode now = get(page);
      if (chosen.format == TuneCommand.Format.TABLE) {
        print(out, now, before);
      } else {
        Documents.print(out, chosen.format, now);
      }
      before = now;
      TimeUnit.SECONDS.sleep(everySeconds);
    } while (everySeconds > 0 && !out.checkError());
    return 0;
  }

  private URI page() {
    try {
      URI base = URI.create(address);
      if (base.getHost() != null && List.of("http", "https").contains(base.getScheme())) {
        return base.resolve("/tree");
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new InvalidInputException(
        "address", address, "must be a URL", "write it as http://127.0.0.1:10260");
  }

  private static JsonNode get(URI page) throws InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(page).timeout(PATIENCE).build();
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new MeasurementException(
            "%s answers with status %d; check that --address is the scheduler's"
                .formatted(page, answer.statusCode()));
      }
      JsonNode tree = new ObjectMapper().readTree(answer.body());
      if (!tree.has("role") || !tree.has("pods") || !tree.has("members")) {
        throw new MeasurementException(
            "%s does not answer with a scheduler's tree; check that --address is the scheduler's"
                .formatted(page));
      }
      return tree;
    } catch (IOException e) {
      String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw new MeasurementException(
          "%s does not answer: %s; check that the scheduler runs, or set --address"
              .formatted(page, why));
    }
  }

  private void print(PrintWriter out, JsonNode now, JsonNode before) {
    JsonNode pods = now.get("pods");
    out.printf(
        "%s, epoch %d; %s, rounds: %d answered, %d missed%n",
        now.get("role").asText(),
        now.get("epoch").asLong(),
        state(now),
        now.at("/rounds/answered").asLong(),
        now.at("/rounds/missed").asLong());
    out.printf(
        "pods: %d decided (%d by shards, %d without their answer), %d bound, %d bindings failed, %d refused, %d preempted%n",
        pods.get("decided").asLong(),
        pods.get("byShards").asLong(),
        pods.get("alone").asLong(),
        pods.get("bound").asLong(),
        pods.get("bindingFailed").asLong(),
        pods.get("refused").asLong(),
        pods.get("preempted").asLong());
    JsonNode pending = now.path("pending");
    out.printf(
        "waiting: %d for their turn, %d after an attempt, %d for a change that could help, %d "
            + "for their gates; the oldest for %d s%n",
        pending.path("active").asLong(),
        pending.path("backoff").asLong(),
        pending.path("unschedulable").asLong(),
        pending.path("gated").asLong(),
        pending.path("oldestSeconds").asLong());
    if (before != null) {
      out.printf(
          "a second: %.0f decided, %.0f bound%n",
          rate(pods, before.get("pods"), "decided"), rate(pods, before.get("pods"), "bound"));
    }
    Table table = new Table("MEMBER", "KIND", "NODES", "SHARE", "ANSWERS IN", "HEARD OF");
    below(now, List.of(), "", table);
    if (!table.isEmpty()) {
      table.print(out);
    }
    out.flush();
  }

  private static String state(JsonNode now) {
    if (!now.get("role").asText().equals("in charge")) {
      return "only the root knows the tree; ask the root in charge";
    }
    if (now.get("members").isEmpty()) {
      return "no members; the root evaluates all nodes itself";
    }
    return now.get("complete").asBoolean()
        ? "the shards know all nodes"
        : "the shards do not know all nodes yet, or do not answer; the root evaluates all nodes "
            + "itself";
  }

  private double rate(JsonNode now, JsonNode before, String what) {
    return (now.get(what).asLong() - before.get(what).asLong()) / (double) everySeconds;
  }

  /** Relays, each with those below it. */
  private static void below(JsonNode now, List<String> way, String indent, Table table) {
    for (JsonNode member : now.get("members")) {
      if (!way(member).equals(way)) {
        continue;
      }
      boolean isShard = member.get("kind").asText().equals("shard");
      table.row(
          indent + member.get("name").asText(),
          member.get("kind").asText(),
          isShard ? member.get("nodes").asText() : "",
          isShard ? "%.0f %%".formatted(100 * member.get("weight").asDouble()) : "",
          isShard ? "%.1f ms".formatted(member.get("answerMicros").asDouble() / 1000) : "",
          member.get("silentMs").asLong() + " ms ago");
      if (!isShard) {
        List<String> longer = new ArrayList<>(List.of(member.get("name").asText()));
        longer.addAll(way);
        below(now, longer, indent + "  ", table);
      }
    }
  }

  private static List<String> way(JsonNode member) {
    List<String> way = new ArrayList<>();
    member.get("via").forEach(relay -> way.add(relay.asText()));
    return way;
  }
}

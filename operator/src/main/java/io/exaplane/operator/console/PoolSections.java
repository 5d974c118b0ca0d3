// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.ControlPlaneTaskStatus;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodePoolStatus;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus;
import io.exaplane.operator.console.Section.Block;
import io.exaplane.operator.console.Table.Cell;
import io.exaplane.operator.console.Table.Look;
import io.exaplane.operator.console.Table.Row;
import io.exaplane.operator.schedulerpool.hosted.LiveTree;
import io.exaplane.operator.status.NextAction;
import java.util.ArrayList;
import java.util.List;

/** What else belongs to a control plane. Pure. */
final class PoolSections {
  private PoolSections() {}

  static Section schedulers(List<SchedulerPool> pools, Fleet fleet) {
    String title = "Distributed scheduler";
    if (pools.isEmpty()) {
      return Section.note("schedulers", title, "No SchedulerPool belongs to this ControlPlane.");
    }
    List<Row> rows = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (SchedulerPool pool : pools) {
      SchedulerPoolStatus status = pool.getStatus();
      String name = pool.getMetadata().getName();
      if (status == null) {
        rows.add(empty(name, 6));
        continue;
      }
      notes.addAll(bad(name, status.conditions()));
      SchedulerPoolStatus.Tree tree = status.tree();
      rows.add(
          Row.of(
              Cell.of(name),
              Cell.of(status.leader()),
              Cell.number(status.roots() == null ? Text.NONE : Text.of(status.roots().summary())),
              Cell.number(status.relays() == null ? Text.NONE : Text.of(status.relays().summary())),
              Cell.number(status.shards() == null ? Text.NONE : Text.of(status.shards().summary())),
              Cell.number(tree == null ? Text.NONE : Text.number(tree.nodes())),
              Cell.of(
                  tree == null
                      ? ""
                      : "%,d relays, %,d shards of %,d to %,d nodes; %s"
                          .formatted(
                              tree.relays(),
                              tree.shards(),
                              tree.fewestNodes(),
                              tree.mostNodes(),
                              Boolean.TRUE.equals(tree.complete())
                                  ? "all nodes are known"
                                  : "not all nodes are known yet"))));
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        Block.of(
            "",
            new Table(
                title,
                List.of("Pool", "In charge", "Roots", "Relays", "Shards", "Nodes", "Tree"),
                rows)));
    for (SchedulerPool pool : pools) {
      fleet
          .tree(pool)
          .filter(tree -> !tree.slowest().isEmpty())
          .ifPresent(tree -> blocks.add(slowest(pool.getMetadata().getName(), tree)));
    }
    return new Section("schedulers", title, notes, blocks);
  }

  /** Tenths of a millisecond are enough, and a page changes less often. */
  private static Block slowest(String pool, LiveTree tree) {
    String title = "Slowest members of " + pool;
    return Block.of(
        title,
        new Table(
            title,
            List.of("Member", "Process", "Nodes", "Answers in", "State"),
            tree.slowest().stream()
                .map(
                    member ->
                        Row.of(
                            Cell.of(member.name()),
                            Cell.of(member.isShard() ? "shard" : "relay"),
                            Cell.number(member.isShard() ? Text.number(member.nodes()) : Text.NONE),
                            Cell.number(
                                member.isShard()
                                    ? Text.rate(member.answerMicros() / 1_000.0) + " ms"
                                    : Text.NONE),
                            member.isSilent()
                                ? new Cell(
                                    "silent for %,d s; check its pod"
                                        .formatted(member.silentMs() / 1_000),
                                    Look.BAD,
                                    "")
                                : new Cell("answers", Look.GOOD, "")))
                .toList()));
  }

  static Section nodes(List<NodePool> pools) {
    if (pools.isEmpty()) {
      return Section.note("pools", "Node pools", "No NodePool belongs to this ControlPlane.");
    }
    List<Row> rows = new ArrayList<>();
    List<Row> failures = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (NodePool pool : pools) {
      NodePoolStatus status = pool.getStatus();
      String name = pool.getMetadata().getName();
      if (status == null || status.nodes() == null) {
        rows.add(empty(name, 5));
      } else {
        rows.add(
            Row.of(
                Cell.of(name),
                Cell.of(status.version()),
                Cell.number(Text.number(status.nodes().registered())),
                Cell.number(Text.number(status.nodes().ready())),
                Cell.number(Text.number(status.nodes().joining())),
                Cell.number(Text.number(status.nodes().failed()))));
      }
      if (status != null) {
        notes.addAll(bad(name, status.conditions()));
        if (status.failures() != null) {
          status
              .failures()
              .forEach(
                  each ->
                      failures.add(
                          Row.of(
                              Cell.of(each.node()),
                              Cell.of(each.reason()),
                              Cell.of(each.message()))));
        }
      }
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        Block.of(
            "",
            new Table(
                "Node pools",
                List.of("Pool", "Version", "Nodes", "Ready", "Joining", "Failed"),
                rows)));
    if (!failures.isEmpty()) {
      blocks.add(
          Block.of(
              "Nodes that need an action",
              new Table(
                  "Nodes that need an action", List.of("Node", "Reason", "Meaning"), failures)));
    }
    return new Section("pools", "Node pools", notes, blocks);
  }

  static Section addons(List<AddonStatus> addons) {
    if (addons == null || addons.isEmpty()) {
      return Section.note("addons", "Add-ons", "spec.addons names no source.");
    }
    List<Row> rows = new ArrayList<>();
    for (AddonStatus addon : addons) {
      boolean ready = Boolean.TRUE.equals(addon.ready());
      rows.add(
          Row.of(
              Cell.of(addon.name()),
              new Cell(ready ? "yes" : "no", ready ? Look.GOOD : Look.BAD, ""),
              Cell.of(addon.reason()),
              Cell.number(Text.number(addon.objects())),
              Cell.number(Text.number(addon.failed())),
              Cell.of(addon.message())));
    }
    return Section.of(
        "addons",
        "Add-ons",
        new Table(
            "Add-ons", List.of("Source", "Ready", "Reason", "Objects", "Failed", "Meaning"), rows));
  }

  static Section tasks(List<ControlPlaneTask> tasks) {
    if (tasks.isEmpty()) {
      return Section.note("tasks", "Tasks", "No ControlPlaneTask belongs to this ControlPlane.");
    }
    List<Row> rows = new ArrayList<>();
    for (ControlPlaneTask task : tasks) {
      ControlPlaneTaskStatus status = task.getStatus();
      rows.add(
          status == null
              ? empty(task.getMetadata().getName(), 4)
              : Row.of(
                  Cell.of(task.getMetadata().getName()),
                  Cell.of(status.task()),
                  Cell.of(status.state()),
                  Cell.number(
                      status.progressPercent() == null
                          ? Text.NONE
                          : status.progressPercent() + " %"),
                  Cell.of(status.message())));
    }
    return Section.of(
        "tasks",
        "Tasks",
        new Table("Tasks", List.of("Task", "Work", "State", "Done", "Meaning"), rows));
  }

  /** An object that the operator has not looked at yet. */
  private static Row empty(String name, int others) {
    List<Cell> cells = new ArrayList<>(List.of(Cell.of(name)));
    for (int i = 0; i < others; i++) {
      cells.add(Cell.of(""));
    }
    return new Row("", cells);
  }

  private static List<String> bad(String name, List<Condition> conditions) {
    return conditions == null
        ? List.of()
        : conditions.stream()
            .filter(each -> !NextAction.isGood(each.type(), each.status()))
            .map(
                each -> "%s: %s %s: %s".formatted(name, each.type(), each.reason(), each.message()))
            .toList();
  }
}

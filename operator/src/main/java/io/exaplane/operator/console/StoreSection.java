// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.console.Section.Block;
import io.exaplane.operator.console.Section.Chart;
import io.exaplane.operator.console.Table.Cell;
import io.exaplane.operator.console.Table.Look;
import io.exaplane.operator.console.Table.Row;
import io.exaplane.operator.status.NextAction;
import io.exaplane.operator.storeshard.usage.LiveStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The stores: revision, load, size, and rate by Kind. Pure. */
final class StoreSection {
  private static final String NAME = "stores";
  private static final String TITLE = "Stores";

  /** Kinds that are written most, or are largest. */
  private static final int MOST_KINDS = 12;

  private StoreSection() {}

  static Section of(List<StoreShard> stores, Fleet fleet) {
    if (stores.isEmpty()) {
      return Section.note(NAME, TITLE, "There is no store yet.");
    }
    List<String> notes = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    List<Block> blocks = new ArrayList<>();
    for (StoreShard store : stores) {
      Optional<LiveStore> live = fleet.live(store);
      rows.add(row(store, live));
      notes.addAll(notes(store));
      live.ifPresent(each -> blocks.add(kinds(store.getMetadata().getName(), each)));
    }
    blocks.addFirst(
        Block.of(
            "",
            new Table(
                "Stores",
                List.of(
                    "Store",
                    "Ready",
                    "Revision",
                    "Keys",
                    "Size",
                    "Load on a kube-apiserver",
                    "Watches",
                    "Writes per second",
                    "Figures of"),
                rows)));
    return new Section(NAME, TITLE, notes, blocks);
  }

  /** What the store said ten seconds ago at most, else what its status says. */
  private static Row row(StoreShard store, Optional<LiveStore> live) {
    String name = store.getMetadata().getName();
    Cell ready = ready(store);
    if (live.isPresent()) {
      LiveStore now = live.get();
      return Row.of(
          Cell.of(name),
          ready,
          Cell.number(Text.number(now.revision())),
          Cell.number(Text.number(now.keys())),
          Cell.number(Text.share(now.bytes(), now.quota())),
          Cell.number(Text.share(now.load(), now.loadQuota())),
          Cell.number(Text.number(now.watchers())),
          Cell.number(Text.rate(now.writesPerSecond())),
          Cell.of(now.at().truncatedTo(java.time.temporal.ChronoUnit.SECONDS)));
    }
    StoreShardStatus status = store.getStatus();
    return status == null
        ? Row.of(
            Cell.of(name),
            ready,
            Cell.of(""),
            Cell.of(""),
            Cell.of(""),
            Cell.of(""),
            Cell.of(""),
            Cell.of(""),
            Cell.of(""))
        : Row.of(
            Cell.of(name),
            ready,
            Cell.number(Text.number(status.revision())),
            Cell.number(Text.number(status.keys())),
            Cell.number(Text.share(status.bytes(), status.quota())),
            Cell.number(Text.share(status.load(), status.loadQuota())),
            Cell.number(Text.number(status.watchers())),
            Cell.of(""),
            Cell.of("the status"));
  }

  private static List<Condition> conditions(StoreShard store) {
    return store.getStatus() == null || store.getStatus().conditions() == null
        ? List.of()
        : store.getStatus().conditions();
  }

  private static Cell ready(StoreShard store) {
    return conditions(store).stream()
        .filter(each -> each.type().equals("Ready"))
        .findFirst()
        .map(
            each ->
                new Cell(
                    each.status().equals(Condition.TRUE) ? "yes" : "no: " + each.reason(),
                    each.status().equals(Condition.TRUE) ? Look.GOOD : Look.BAD,
                    ""))
        .orElse(new Cell("unknown", Look.UNKNOWN, ""));
  }

  private static List<String> notes(StoreShard store) {
    return conditions(store).stream()
        .filter(each -> !NextAction.isGood(each.type(), each.status()))
        .map(
            each ->
                "%s: %s %s: %s"
                    .formatted(
                        store.getMetadata().getName(), each.type(), each.reason(), each.message()))
        .toList();
  }

  private static Block kinds(String store, LiveStore live) {
    List<Row> rows =
        live.kinds().stream()
            .limit(MOST_KINDS)
            .map(
                kind ->
                    Row.of(
                        Cell.of(kind.name()),
                        Cell.number(Text.rate(kind.writesPerSecond())),
                        Cell.number(Text.bytes(kind.bytes())),
                        Cell.number(Text.bytes(kind.load()))))
            .toList();
    return new Block(
        store + " by Kind",
        false,
        live.trend().isEmpty() ? null : Chart.ofWrites(store, live.trend()),
        new Table(
            store + " by Kind",
            List.of("Kind", "Writes per second", "Size", "Load on a kube-apiserver"),
            rows));
  }
}

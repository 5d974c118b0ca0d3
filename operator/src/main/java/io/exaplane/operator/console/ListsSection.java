// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.exaplane.operator.console.Section.Block;
import io.exaplane.operator.console.Table.Cell;
import io.exaplane.operator.console.Table.Row;
import io.exaplane.operator.controlplane.hosted.LiveLists;
import io.exaplane.tuning.lists.Finding;
import io.exaplane.tuning.lists.MetricsPage.Lists;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The resources whose LISTs cost the kube-apiservers most, and what to do. Pure. */
final class ListsSection {
  static final String NAME = "lists";
  private static final String TITLE = "LISTs";
  private static final int MOST = 10;

  private static final String CLIENTS =
      "Metrics name no clients. To name the clients with the fix for each, run"
          + " 'kubectl exaplane lists --audit-log FILE' with an audit log of the control plane.";

  private ListsSection() {}

  static Section of(Optional<LiveLists> lists) {
    if (lists.isEmpty() || lists.get().resources().isEmpty()) {
      return Section.note(
          NAME,
          TITLE,
          "No kube-apiserver has told the cost of LISTs yet. The operator asks each minute.");
    }
    List<Row> rows = lists.get().resources().stream().limit(MOST).map(ListsSection::row).toList();
    return new Section(
        NAME,
        TITLE,
        List.of(CLIENTS),
        List.of(
            Block.of(
                "",
                new Table(
                    "Resources whose LISTs cost most",
                    List.of(
                        "Resource",
                        "Objects",
                        "LISTs of stores",
                        "Objects read from stores",
                        "LISTs of caches",
                        "Objects read from caches",
                        "Read for each one sent",
                        "Objects read per second",
                        "Cause",
                        "Action for the clients"),
                    rows))));
  }

  private static Row row(LiveLists.Resource resource) {
    Lists lists = resource.lists();
    Finding finding = lists.finding();
    return Row.of(
        Cell.of(lists.resource()),
        Cell.number(Text.number(lists.objects())),
        Cell.number(Text.number(lists.storeLists())),
        Cell.number(Text.number(lists.storeFetched())),
        Cell.number(Text.number(lists.cacheLists())),
        Cell.number(Text.number(lists.cacheFetched())),
        Cell.number(Text.rate(lists.waste())),
        Cell.number(Text.rate(resource.readPerSecond())),
        Cell.of(cause(finding)),
        Cell.of(action(finding)));
  }

  /** Of clients together: a page of metrics does not tell one from another. */
  private static String cause(Finding finding) {
    return switch (finding) {
      case STORE_READS -> "Most objects are read from stores.";
      case SELECTOR_WITHOUT_INDEX -> "Selectors find few objects of many.";
      default -> "The requests are many or large.";
    };
  }

  private static String action(Finding finding) {
    String fix = finding.fix();
    return fix.substring(0, 1).toUpperCase(Locale.ROOT) + fix.substring(1) + ".";
  }
}

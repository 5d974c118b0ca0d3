// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.operator.console.Situation.Up;
import io.exaplane.operator.console.Table.Cell;
import io.exaplane.operator.console.Table.Look;
import io.exaplane.operator.console.Table.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The table of all control planes that somebody may list. Blocks while rights are asked for. */
final class FleetPage {
  static final String NAME = "fleet";

  /** Those that are not available come first, so they are never among those left out. */
  static final int MOST_ROWS = 1000;

  /** Whoever may not list all namespaces is asked about for each of them. */
  static final int MOST_NAMESPACES = 100;

  private final Fleet fleet;

  FleetPage(Fleet fleet) {
    this.fleet = fleet;
  }

  private record Shown(ControlPlane plane, Situation situation) {
    String namespace() {
      return plane.getMetadata().getNamespace();
    }

    String name() {
      return plane.getMetadata().getName();
    }
  }

  /** What somebody sees. */
  List<Section> sections(Rights rights) {
    List<String> notes = new ArrayList<>();
    List<Shown> planes = new ArrayList<>();
    if (rights.may(Right.toListPlanes(""))) {
      fleet.planes().forEach(plane -> planes.add(new Shown(plane, Situation.of(plane))));
    } else {
      addEachNamespace(rights, planes, notes);
    }
    planes.sort(
        Comparator.<Shown, Up>comparing(each -> each.situation().up())
            .thenComparing(Shown::namespace)
            .thenComparing(Shown::name));
    notes.addFirst(summary(planes));
    if (planes.size() > MOST_ROWS) {
      notes.add(
          "The table has the first %,d of %,d control planes. Run 'kubectl get cpl -A' to see all of them."
              .formatted(MOST_ROWS, planes.size()));
    }
    Table table =
        new Table(
            "Control planes",
            List.of(
                "Control plane", "Namespace", "Available", "Doing", "Why not", "Version", "Nodes"),
            planes.stream().limit(MOST_ROWS).map(FleetPage::row).toList());
    return List.of(
        new Section(
            NAME,
            "Control planes",
            notes,
            planes.isEmpty() ? List.of() : List.of(Section.Block.of("", table))));
  }

  private void addEachNamespace(Rights rights, List<Shown> planes, List<String> notes) {
    List<String> namespaces =
        fleet
            .planes()
            .map(plane -> plane.getMetadata().getNamespace())
            .distinct()
            .sorted()
            .toList();
    Map<String, Boolean> may = new HashMap<>();
    namespaces.stream()
        .limit(MOST_NAMESPACES)
        .forEach(each -> may.put(each, rights.may(Right.toListPlanes(each))));
    fleet
        .planes()
        .filter(plane -> may.getOrDefault(plane.getMetadata().getNamespace(), false))
        .forEach(plane -> planes.add(new Shown(plane, Situation.of(plane))));
    if (namespaces.size() > MOST_NAMESPACES) {
      notes.add(
          "Your rights were checked in the first %d namespaces only. Ask for the right to list ControlPlanes in all namespaces, or open /controlplanes/NAMESPACE/NAME."
              .formatted(MOST_NAMESPACES));
    }
  }

  private static String summary(List<Shown> planes) {
    if (planes.isEmpty()) {
      return "There is no ControlPlane that you may list. Create one, or ask the administrator of"
          + " the management cluster for the right to list ControlPlanes in your namespace.";
    }
    long up = planes.stream().filter(each -> each.situation().up() == Up.YES).count();
    return "%,d of %,d control planes are available.".formatted(up, planes.size());
  }

  private static Row row(Shown shown) {
    Situation situation = shown.situation();
    Optional<ControlPlaneStatus> status = Optional.ofNullable(shown.plane().getStatus());
    List<String> whyNot = situation.whyNot();
    return new Row(
        "row-" + shown.namespace() + "-" + shown.name(),
        List.of(
            new Cell(
                shown.name(),
                Look.PLAIN,
                "/controlplanes/" + shown.namespace() + "/" + shown.name()),
            Cell.of(shown.namespace()),
            new Cell(situation.up().toString(), look(situation.up()), ""),
            Cell.of(situation.doing()),
            Cell.of(
                whyNot.isEmpty()
                    ? ""
                    : whyNot.getFirst()
                        + (whyNot.size() > 1 ? " (and %d more)".formatted(whyNot.size() - 1) : "")),
            Cell.of(
                status
                    .map(ControlPlaneStatus::version)
                    .map(ControlPlaneStatus.Versions::current)
                    .orElse("")),
            Cell.number(
                status
                    .map(ControlPlaneStatus::nodes)
                    .map(nodes -> "%,d of %,d".formatted(nodes.ready(), nodes.registered()))
                    .orElse(Text.NONE))));
  }

  static Look look(Up up) {
    return switch (up) {
      case YES -> Look.GOOD;
      case NO -> Look.BAD;
      case UNKNOWN -> Look.UNKNOWN;
    };
  }
}

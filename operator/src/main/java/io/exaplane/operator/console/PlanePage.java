// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.LocalRef;
import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.operator.console.Section.Block;
import io.exaplane.operator.console.Table.Cell;
import io.exaplane.operator.console.Table.Row;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** One control plane with everything that belongs to it. Blocks while rights are asked for. */
final class PlanePage {
  private static final String UNSEEN =
      "The operator has not processed this ControlPlane yet. If this persists for a minute, check"
          + " that the operator runs.";

  private final Fleet fleet;

  PlanePage(Fleet fleet) {
    this.fleet = fleet;
  }

  /**
   * What somebody sees; nothing if the control plane does not exist, or if they may not get it:
   * nobody learns which of the two it is.
   */
  Optional<List<Section>> sections(String namespace, String name, Rights rights) {
    if (!rights.may(Right.toGetPlane(namespace, name))) {
      return Optional.empty();
    }
    return fleet
        .planes()
        .filter(plane -> isNamed(plane, namespace, name))
        .findFirst()
        .map(plane -> sections(plane, rights));
  }

  private static boolean isNamed(HasMetadata object, String namespace, String name) {
    return object.getMetadata().getName().equals(name)
        && object.getMetadata().getNamespace().equals(namespace);
  }

  private List<Section> sections(ControlPlane plane, Rights rights) {
    String namespace = plane.getMetadata().getNamespace();
    ControlPlaneStatus status = plane.getStatus();
    List<Section> sections = new ArrayList<>();
    sections.add(summary(plane));
    sections.add(
        status == null
            ? Section.note("conditions", "Conditions", UNSEEN)
            : Section.of(
                "conditions", "Conditions", Table.conditions("Conditions", status.conditions())));
    sections.add(rollout(status == null ? null : status.rollout()));
    sections.add(
        status == null
            ? Section.note("components", "Components", "No component runs yet.")
            : components(status));
    sections.add(
        listed(
            rights,
            new Listing("stores", "Stores", "storeshards", namespace),
            () -> StoreSection.of(ours(fleet.stores(), plane, PlanePage::ofStore), fleet)));
    sections.add(
        listed(
            rights,
            new Listing("schedulers", "Distributed scheduler", "schedulerpools", namespace),
            () ->
                PoolSections.schedulers(
                    ours(fleet.schedulers(), plane, pool -> name(pool.getSpec().controlPlaneRef())),
                    fleet)));
    sections.add(ListsSection.of(fleet.lists(plane)));
    sections.add(
        listed(
            rights,
            new Listing("pools", "Node pools", "nodepools", namespace),
            () ->
                PoolSections.nodes(
                    ours(
                        fleet.nodePools(),
                        plane,
                        pool -> name(pool.getSpec().controlPlaneRef())))));
    sections.add(PoolSections.addons(status == null ? null : status.addons()));
    sections.add(
        listed(
            rights,
            new Listing("tasks", "Tasks", "controlplanetasks", namespace),
            () ->
                PoolSections.tasks(
                    ours(fleet.tasks(), plane, task -> name(task.getSpec().controlPlaneRef())))));
    sections.add(tuning(plane, rights));
    return sections;
  }

  private record Listing(String name, String title, String resource, String namespace) {}

  private interface Content {
    Section get();
  }

  private static Section listed(Rights rights, Listing listing, Content content) {
    Right right = Right.toList(listing.resource(), listing.namespace());
    return rights.may(right) ? content.get() : missing(listing.name(), listing.title(), right);
  }

  private static Section missing(String name, String title, Right right) {
    return Section.note(
        name,
        title,
        "You may not see this part. Ask the administrator of the management cluster for the right to %s in the namespace %s."
            .formatted(right.words(), right.namespace()));
  }

  private static String ofStore(HasMetadata store) {
    return store.getMetadata().getLabels() == null
        ? ""
        : store.getMetadata().getLabels().getOrDefault(ControlPlaneNames.CONTROL_PLANE_LABEL, "");
  }

  private static String name(LocalRef ref) {
    return ref == null ? "" : ref.name();
  }

  private static <T extends HasMetadata> List<T> ours(
      Stream<T> all, ControlPlane plane, Function<T, String> planeOf) {
    return all.filter(
            each ->
                each.getMetadata().getNamespace().equals(plane.getMetadata().getNamespace())
                    && planeOf.apply(each).equals(plane.getMetadata().getName()))
        .sorted(Comparator.comparing(each -> each.getMetadata().getName()))
        .toList();
  }

  private static Section summary(ControlPlane plane) {
    Situation situation = Situation.of(plane);
    Optional<ControlPlaneStatus> status = Optional.ofNullable(plane.getStatus());
    List<Row> rows = new ArrayList<>();
    rows.add(
        Row.of(
            Cell.of("Available"),
            new Cell(
                situation.up()
                    + (situation.since().isEmpty() ? "" : ", since " + situation.since()),
                FleetPage.look(situation.up()),
                "")));
    rows.add(
        Row.of(
            Cell.of("Doing"),
            Cell.of(situation.doing().isEmpty() ? "nothing" : situation.doing())));
    rows.add(
        Row.of(
            Cell.of("Version"),
            Cell.of(
                plane.getSpec().version()
                    + status
                        .map(ControlPlaneStatus::version)
                        .map(ControlPlaneStatus.Versions::current)
                        .map(current -> ", running " + current)
                        .orElse(""))));
    rows.add(
        Row.of(
            Cell.of("Endpoint"),
            Cell.of(
                status
                    .map(ControlPlaneStatus::endpoint)
                    .map(endpoint -> endpoint.host() + " port " + endpoint.port())
                    .orElse(""))));
    rows.add(
        Row.of(
            Cell.of("Nodes"),
            Cell.of(
                status
                    .map(ControlPlaneStatus::nodes)
                    .map(
                        nodes ->
                            "%,d ready of %,d; pools may have %,d"
                                .formatted(nodes.ready(), nodes.registered(), nodes.maxNodes()))
                    .orElse(""))));
    rows.add(
        Row.of(
            Cell.of("Sized for"),
            Cell.of(
                status
                    .map(ControlPlaneStatus::sizing)
                    .map(ControlPlaneStatus.Sizing::maxNodes)
                    .map("%,d nodes"::formatted)
                    .orElse(""))));
    return new Section(
        "summary",
        "Summary",
        situation.whyNot(),
        List.of(Block.of("", new Table("Summary", List.of("Fact", "Value"), rows))));
  }

  private static Section rollout(RolloutStatus rollout) {
    if (rollout == null) {
      return Section.note("rollout", "Rollout", "No rollout is under way.");
    }
    Table facts =
        Table.facts(
            "Rollout",
            "Component",
            rollout.component(),
            "Step",
            rollout.step(),
            "Began",
            rollout.startedAt(),
            "Last came further",
            rollout.progressedAt(),
            "Stopped",
            rollout.stalledAt(),
            "Last words",
            rollout.lastWords());
    List<Row> gates = new ArrayList<>();
    if (rollout.blockedBy() != null) {
      rollout
          .blockedBy()
          .forEach(
              gate ->
                  gates.add(
                      Row.of(
                          Cell.of(gate.gate()),
                          Cell.of(gate.component()),
                          Cell.of(gate.number()),
                          Cell.of(gate.limit()),
                          Cell.of(gate.message()),
                          Cell.of(gate.since()))));
    }
    return new Section(
        "rollout",
        "Rollout",
        gates.isEmpty() ? List.of("No gate holds the rollout.") : List.of(),
        gates.isEmpty()
            ? List.of(Block.of("", facts))
            : List.of(
                Block.of("", facts),
                Block.of(
                    "Gates that hold the rollout",
                    new Table(
                        "Gates",
                        List.of("Gate", "Component", "Figure", "Limit", "Meaning", "Since"),
                        gates))));
  }

  private static Section components(ControlPlaneStatus status) {
    List<Row> rows = new ArrayList<>();
    if (status.apiServer() != null) {
      rows.add(
          component(
              "kube-apiserver",
              status.apiServer().ready(),
              status.apiServer().replicas(),
              status.apiServer().updated()));
    }
    add(rows, "kube-controller-manager", status.controllerManager());
    add(rows, "kube-scheduler", status.scheduler());
    return Section.of(
        "components",
        "Components",
        new Table(
            "Components", List.of("Component", "Ready", "Pods", "Of the newest template"), rows));
  }

  private static void add(List<Row> rows, String name, ControlPlaneStatus.Replicas replicas) {
    if (replicas != null) {
      rows.add(component(name, replicas.ready(), replicas.replicas(), replicas.updated()));
    }
  }

  private static Row component(String name, Integer ready, Integer replicas, Integer updated) {
    return Row.of(
        Cell.of(name),
        Cell.number(Text.number(ready)),
        Cell.number(Text.number(replicas)),
        Cell.number(Text.number(updated)));
  }

  private Section tuning(ControlPlane plane, Rights rights) {
    Right right =
        Right.toGetConfigMap(
            plane.getMetadata().getNamespace(), new ControlPlaneNames(plane).tuning());
    return rights.may(right)
        ? TuningSection.of(fleet.tuning(plane))
        : missing(TuningSection.NAME, TuningSection.TITLE, right);
  }
}

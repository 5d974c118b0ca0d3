// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

import io.exaplane.api.duration.Durations;
import io.exaplane.api.v1alpha1.RolloutGate;
import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.api.v1alpha1.RolloutStatus.Blocked;
import io.exaplane.operator.controlplane.rollout.ComponentView.Live;
import io.exaplane.operator.controlplane.rollout.ComponentView.PodView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What one pass does about rollouts: a Deployment is told how many older pods may have ended, one
 * more whenever its new pods have settled. One of which no gate lets a first pod be made is paused.
 * kube-apiservers are added one by one through the same gates. Pure; what comes out never changes.
 */
public final class RolloutPlan {
  /**
   * What is applied of a component's Deployment.
   *
   * @param template identity of its template
   * @param hold how far it goes by itself
   * @param goesOn whether it was paused, by whomever, and is paused no longer
   */
  public record Applied(String template, int replicas, Hold hold, boolean goesOn) {}

  /** The stores that serve and are at rest, of all. */
  public record Stores(int serving, int all) {
    boolean serve() {
      return serving == all;
    }
  }

  private final RolloutPolicy policy;
  private final Stores stores;
  private final Told before;
  private final Instant now;
  private final Map<String, Applied> applied = new LinkedHashMap<>();
  private final Map<String, List<PodView>> awaited = new LinkedHashMap<>();
  private final List<Blocked> blocked = new ArrayList<>();
  private final boolean goesBack;
  private final List<RolloutStatus> told = new ArrayList<>();

  /** The first component that is under way. */
  private RolloutStatus status;

  /**
   * Of one pass.
   *
   * @param views the components in the order in which they are replaced
   * @param before what was told last; nothing without a rollout
   */
  public RolloutPlan(
      RolloutPolicy policy,
      Stores stores,
      List<ComponentView> views,
      Optional<RolloutStatus> before,
      Instant now) {
    this.policy = policy;
    this.stores = stores;
    this.before = Told.of(before.orElse(null));
    this.now = now;
    boolean earlierRolls = false;
    for (ComponentView view : views) {
      earlierRolls |= decide(view, earlierRolls);
    }
    views.stream().filter(ComponentView::isBack).map(this::back).forEach(told::add);
    this.goesBack = status != null && told.stream().anyMatch(this::isGoing);
    if (status != null && !goesBack) {
      told.add(status);
    }
  }

  private boolean isGoing(RolloutStatus one) {
    return status != null && status.component().equals(one.component());
  }

  /** The rollout that stopped is told until another template is wanted. */
  private RolloutStatus back(ComponentView view) {
    RolloutStatus was = before.of(view.component()).orElseThrow();
    boolean goes = isGoing(was);
    return new RolloutStatus(
        was.component(),
        was.template(),
        goes ? status.step() : "rolled back",
        was.startedAt(),
        was.progressedAt(),
        was.stalledAt(),
        was.lastWords(),
        null,
        null,
        goes ? status.fromReplicas() : null,
        view.template(),
        null);
  }

  /** Decides about one component; whether it is under way. */
  private boolean decide(ComponentView view, boolean earlierRolls) {
    if (view.live().isEmpty()) {
      apply(view, view.replicas(), Hold.NONE);
      return false;
    }
    Live live = view.live().get();
    boolean changed = live.template() != null && !live.template().equals(view.template());
    if (changed) {
      return begin(view, live, earlierRolls);
    }
    if (!live.observed()) {
      return unseen(view, live);
    }
    if (live.replaces()) {
      return live.updated() == 0 ? begin(view, live, earlierRolls) : step(view, live, earlierRolls);
    }
    List<Figure> last = open(unsettled(view, live));
    return last.isEmpty() ? grow(view, live) : end(view, live, earlierRolls, last);
  }

  /** Fewer at once, more when nothing else is under way; all of them while none serves. */
  private static int replicas(ComponentView view, Live live) {
    return !view.serves() || live.ready() == 0
        ? view.replicas()
        : Math.min(view.replicas(), live.replicas());
  }

  /** No pod of the template is there yet; when no gate is closed, the first one is on its way. */
  private boolean begin(ComponentView view, Live live, boolean earlierRolls) {
    List<Figure> closed = open(layers(live, earlierRolls));
    apply(view, replicas(view, live), Hold.beginning(policy, live.replicas(), closed.isEmpty()));
    List<Figure> first = closed.isEmpty() ? open(settling(view, live, List.of(), false)) : closed;
    String step = "0 of %d pods replaced".formatted(live.replicas());
    tell(view, step, true, null, first, live.words(List.of()));
    return true;
  }

  /** Its controller has not seen the newest spec: what is under way stays as it is. */
  private boolean unseen(ComponentView view, Live live) {
    apply(view, replicas(view, live), live.hold());
    Optional<RolloutStatus> known = before.of(view.component());
    boolean held = blockedBefore().anyMatch(any -> any.component().equals(view.component()));
    blockedBefore().filter(any -> any.component().equals(view.component())).forEach(blocked::add);
    if (status == null && known.isPresent()) {
      status = known.get();
    }
    return held || known.isPresent();
  }

  private Stream<Blocked> blockedBefore() {
    return before.blocked().stream();
  }

  /** Some pods are of the template. */
  private boolean step(ComponentView view, Live live, boolean earlierRolls) {
    List<Figure> closed = new ArrayList<>(layers(live, earlierRolls));
    List<PodView> newest = live.newest();
    awaited.put(view.component(), newest);
    closed.addAll(settling(view, live, judged(view, newest), newest.size() >= live.updated()));
    List<Figure> holding = tell(view, replaced(live), true, null, open(closed), live.words(newest));
    apply(view, replicas(view, live), Hold.next(policy, live, newest, holding.isEmpty()));
    return true;
  }

  /** No older pod is left, and the last new ones have yet to settle. */
  private boolean end(ComponentView view, Live live, boolean earlierRolls, List<Figure> last) {
    List<Figure> closed = new ArrayList<>(open(layers(live, earlierRolls)));
    closed.addAll(last);
    awaited.put(view.component(), live.newest());
    tell(view, replaced(live), true, null, closed, live.words(live.newest()));
    apply(view, replicas(view, live), Hold.next(policy, live, live.newest(), false));
    return true;
  }

  /**
   * What the last new pods lack, also when none is ready: they take the place of no other. Of those
   * that settled before, only readiness counts: the load of the last old pod is theirs now.
   */
  private List<Figure> unsettled(ComponentView view, Live live) {
    if (!live.hold().counts()) {
      return List.of();
    }
    if (live.updated() < live.replicas() || live.newest().size() < live.updated()) {
      return List.of(onItsWay());
    }
    int settled = live.hold().allowed() - policy.unavailable(live.replicas());
    return SettleGates.closed(policy, judged(view, live.newest()), view.serves(), now).stream()
        .filter(figure -> settled < live.updated() || figure.gate() == RolloutGate.MinReady)
        .toList();
  }

  private static String replaced(Live live) {
    return "%d of %d pods replaced".formatted(live.updated(), live.replicas());
  }

  /** Nothing is replaced: kube-apiservers may be added, or the last one that was is to settle. */
  private boolean grow(ComponentView view, Live live) {
    boolean grows = view.serves() && view.replicas() > live.replicas();
    int from = before.of(view.component()).map(RolloutStatus::fromReplicas).orElse(live.replicas());
    boolean added = from < live.replicas();
    List<PodView> youngest = live.youngest().stream().toList();
    List<Figure> closed =
        added
            ? open(
                settling(view, live, youngest, live.counted() && live.total() == live.replicas()))
            : List.of();
    if (view.replicas() < live.replicas() || !grows && closed.isEmpty()) {
      apply(view, view.replicas(), Hold.NONE);
      return false;
    }
    awaited.put(view.component(), youngest);
    List<Figure> holding =
        tell(
            view,
            "%d of %d pods".formatted(live.replicas(), view.replicas()),
            added,
            from,
            closed,
            live.words(youngest));
    int next = live.ready() == 0 ? view.replicas() : live.replicas() + 1;
    apply(view, grows && holding.isEmpty() ? next : live.replicas(), Hold.NONE);
    return true;
  }

  private void apply(ComponentView view, int replicas, Hold hold) {
    boolean paused = view.live().filter(live -> live.hold().paused()).isPresent();
    applied.put(
        view.component(), new Applied(view.template(), replicas, hold, paused && !hold.paused()));
  }

  /** When a component goes back, those that were there before had settled before. */
  private List<PodView> judged(ComponentView view, List<PodView> newest) {
    if (!view.isBack()) {
      return newest;
    }
    Instant began = Instant.parse(before.of(view.component()).orElseThrow().startedAt());
    return newest.stream()
        .filter(pod -> pod.readySince().filter(ready -> ready.isBefore(began)).isEmpty())
        .toList();
  }

  /** Stores before components, and components in their order; who serves nobody holds nobody. */
  private List<Figure> layers(Live live, boolean earlierRolls) {
    List<Figure> closed = new ArrayList<>();
    if (!stores.serve()) {
      closed.add(
          Figure.of(
              RolloutGate.StoresServe,
              Integer.toString(stores.serving()),
              Integer.toString(stores.all()),
              "a store does not serve, or is being replaced"));
    }
    if (earlierRolls && live.ready() > 0) {
      closed.add(
          Figure.of(
              RolloutGate.OneLayer, null, null, "another component is replaced before this one"));
    }
    return closed;
  }

  private List<Figure> settling(
      ComponentView view, Live live, List<PodView> pods, boolean complete) {
    if (live.ready() == 0) {
      return List.of();
    }
    return complete ? SettleGates.closed(policy, pods, view.serves(), now) : List.of(onItsWay());
  }

  private Figure onItsWay() {
    return Figure.of(
        RolloutGate.MinReady, "0s", Durations.text(policy.minReady()), "a new pod is on its way");
  }

  private List<Figure> open(List<Figure> closed) {
    return closed.stream().filter(figure -> !policy.isOpen(figure.gate())).toList();
  }

  /**
   * Tells how far a component is; of the first one that is under way in full.
   *
   * @param expires whether its deadline counts: a pod is to settle
   * @param from kube-apiservers that there were before some are added; null if pods are replaced
   * @return what holds it
   */
  private List<Figure> tell(
      ComponentView view,
      String step,
      boolean expires,
      Integer from,
      List<Figure> closed,
      String words) {
    Optional<RolloutStatus> same =
        before
            .of(view.component())
            .filter(was -> view.template().equals(was.template()))
            .filter(was -> (was.fromReplicas() == null) == (from == null));
    boolean waits = closed.stream().anyMatch(figure -> isOfOthers(figure.gate()));
    String progressed =
        same.filter(was -> step.equals(was.step()))
            .filter(_ -> waits || !waited(view))
            .map(RolloutStatus::progressedAt)
            .orElseGet(() -> Figure.text(now));
    boolean overdue =
        !waits
            && !closed.isEmpty()
            && !now.isBefore(Instant.parse(progressed).plus(policy.progressDeadline()));
    String stalled =
        expires && !policy.isOpen(RolloutGate.ProgressDeadline)
            ? same.map(RolloutStatus::stalledAt).orElse(overdue ? Figure.text(now) : null)
            : null;
    List<Figure> holding = new ArrayList<>(closed);
    String last = null;
    if (stalled != null) {
      last = same.map(RolloutStatus::lastWords).orElseGet(() -> last(closed, words));
      holding.addFirst(deadline(stalled));
    }
    List<Blocked> was = blockedBefore().toList();
    holding.forEach(figure -> blocked.add(figure.told(view.component(), was, now)));
    if (status == null) {
      status =
          new RolloutStatus(
              view.component(),
              view.template(),
              step,
              same.map(RolloutStatus::startedAt).orElseGet(() -> Figure.text(now)),
              progressed,
              stalled,
              last,
              null,
              null,
              from,
              null,
              null);
    }
    return holding;
  }

  private boolean waited(ComponentView view) {
    return blockedBefore()
        .filter(any -> any.component().equals(view.component()))
        .anyMatch(any -> isOfOthers(any.gate()));
  }

  private static String last(List<Figure> closed, String words) {
    return words != null || closed.isEmpty() ? words : closed.getFirst().message();
  }

  private Figure deadline(String stalled) {
    String limit = Durations.text(policy.progressDeadline());
    return new Figure(
        RolloutGate.ProgressDeadline,
        limit,
        limit,
        Optional.of(Instant.parse(stalled)),
        Optional.empty(),
        "a new pod did not settle in time; correct the spec, or open the gate");
  }

  /** Whether a gate waits for something else than the component's own pods. */
  private static boolean isOfOthers(RolloutGate gate) {
    return gate == RolloutGate.StoresServe || gate == RolloutGate.OneLayer;
  }

  /** What is applied of a component; nothing for one that is not part of the control plane. */
  public Optional<Applied> applied(String component) {
    return Optional.ofNullable(applied.get(component));
  }

  /** The pods whose settling is waited for. */
  public List<String> awaited() {
    return awaited.values().stream().flatMap(List::stream).map(PodView::name).toList();
  }

  /** Whether time alone may bring a rollout further. One that stopped waits for a person. */
  public boolean moves() {
    return goesBack
        || told.stream()
            .anyMatch(
                one -> one.stalledAt() == null || policy.rollsBack() && one.rolledBackTo() == null);
  }

  /** Whether a person has to act before anything is replaced again. */
  public boolean hasStopped() {
    return !told.isEmpty() && !moves();
  }

  /** What is told; nothing without a rollout. */
  public Optional<RolloutStatus> status() {
    return Told.join(told, blocked, policy.override());
  }
}

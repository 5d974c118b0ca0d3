// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * One node with the requests of a kubelet: registers, renews its Lease, patches its status, and
 * holds its watches. Runs no pods. Used on the load's thread.
 *
 * <p>Differences from a kubelet: the first renewal and the first look at the status come at a
 * random time of their period, as if the node had long been running, so a load that starts quickly
 * does not bunch. The Node is created in JSON; Leases and watches use protobuf, as a kubelet's do.
 *
 * <p>Sources, in Kubernetes 1.37: {@code pkg/kubelet/kubelet_node_status.go}
 * (registerWithAPIServer, tryUpdateNodeStatus), {@code pkg/kubelet/kubelet.go} (Run), and those
 * that {@link KubeletTimes} and {@link LeaseKeeper} name.
 */
final class SimulatedNode {
  private static final String RESOURCE = "nodes";
  private static final String PATH = "/api/v1/nodes";
  private static final String STATUS = "nodes/status";

  private final Settings settings;
  private final Api api;
  private final Timer timer;
  private final RandomGenerator random;
  private final String name;
  private final int number;
  private final LeaseKeeper keeper;
  private final List<WatchLoop> watches = new ArrayList<>();
  private State state = State.NEW;
  private boolean isReported;
  private boolean isReporting;
  private long reportedNanos;
  private long delayNanos;
  private boolean isStopped;

  /** How far a node came. */
  enum State {
    NEW,
    REGISTERED,
    /** Its Lease exists and its watches were asked for. */
    RUNNING,
    /** Somebody else has a Node of this name, which the load leaves alone. */
    FOREIGN
  }

  /**
   * What all nodes of a load have in common.
   *
   * @param asNodes whether requests are sent in the names of the nodes
   */
  record Settings(
      KubeletTimes times,
      Map<String, String> labels,
      int images,
      List<WatchPlan.Entry> watches,
      boolean asNodes,
      boolean watchList,
      LeaseKeeper.Settings leases) {}

  SimulatedNode(
      Settings settings,
      Api api,
      Timer timer,
      Books books,
      RandomGenerator random,
      String name,
      int number) {
    this.settings = settings;
    this.api = api;
    this.timer = timer;
    this.random = random;
    this.name = name;
    this.number = number;
    this.keeper = new LeaseKeeper(api, timer, settings.leases(), name);
    for (WatchPlan.Entry entry : settings.watches()) {
      watches.add(
          new WatchLoop(
              api,
              timer,
              books,
              random,
              new WatchLoop.Target(
                  entry.resource(),
                  entry.pathOf(name),
                  entry.asNode() && settings.asNodes() ? name : "",
                  entry.shortest()),
              settings.watchList(),
              WatchLoop.NOBODY));
    }
  }

  State state() {
    return state;
  }

  /** Whether everything that the node asked for at its start has been answered. */
  boolean isSettled() {
    return state == State.FOREIGN
        || state == State.RUNNING && watches.stream().allMatch(WatchLoop::isSettled);
  }

  /** As {@link LeaseKeeper#bookOpenGap}. */
  void bookOpenGap(long longerThanNanos) {
    keeper.bookOpenGap(longerThanNanos);
  }

  void start() {
    register(0);
  }

  /** Sends nothing from now on; its watches end. */
  void stop() {
    isStopped = true;
    keeper.stop();
    watches.forEach(WatchLoop::stop);
  }

  private Call mine(Call call) {
    return settings.asNodes() ? call.as(name) : call;
  }

  private Call heartbeat(Call call) {
    return mine(call).within(settings.times().heartbeatTimeout());
  }

  private void register(int failures) {
    if (isStopped) {
      return;
    }
    byte[] body = NodeBody.created(name, number, settings.labels(), settings.images(), timer.now());
    api.send(
        mine(Call.create(RESOURCE, PATH, Call.JSON, body)),
        answer -> {
          if (answer.isOk()) {
            registered(Kube.meta(Kube.unwrapped(answer.body())).uid());
          } else if (answer.status() == Answer.CONFLICT) {
            exists(failures);
          } else {
            timer.after(KubeletTimes.pause(failures + 1), () -> register(failures + 1));
          }
        });
  }

  /** Ours, if the answer to the first attempt was lost; a Node of somebody else stays untouched. */
  private void exists(int failures) {
    api.send(
        mine(Call.get(RESOURCE, PATH + "/" + name)),
        answer -> {
          if (!answer.isOk()) {
            timer.after(KubeletTimes.pause(failures + 1), () -> register(failures + 1));
            return;
          }
          byte[] node = Kube.unwrapped(answer.body());
          if (Kube.label(node, Labels.RUN).equals(settings.labels().get(Labels.RUN))) {
            registered(Kube.meta(node).uid());
          } else {
            state = State.FOREIGN;
          }
        });
  }

  private void registered(String uid) {
    if (isStopped) {
      return;
    }
    state = State.REGISTERED;
    keeper.ownedBy(uid);
    keeper.sync(
        () -> {
          state = State.RUNNING;
          timer.after(KubeletTimes.phase(settings.times().renewal(), random), this::renew);
        });
    report(0);
    timer.after(KubeletTimes.phase(settings.times().statusUpdate(), random), this::look);
    watches.forEach(WatchLoop::start);
  }

  private void renew() {
    if (!isStopped) {
      keeper.sync(() -> timer.after(settings.times().untilRenewal(random), this::renew));
    }
  }

  /** A look at the status, which never changes; it is reported when the last report is old. */
  private void look() {
    if (isStopped) {
      return;
    }
    boolean isOld =
        timer.nanos() - reportedNanos >= settings.times().statusReport().toNanos() + delayNanos;
    if ((!isReported || isOld) && !isReporting) {
      report(0);
    }
    timer.after(settings.times().untilStatus(random), this::look);
  }

  private void report(int attempt) {
    isReporting = !isStopped && attempt < KubeletTimes.ATTEMPTS;
    if (!isReporting) {
      return;
    }
    delayNanos = isReported ? 0 : settings.times().delayAfterChange(random);
    api.send(
        heartbeat(
            Call.patch(
                STATUS,
                PATH + "/" + name + "/status",
                Call.STRATEGIC_PATCH,
                NodeBody.heartbeat(timer.now()))),
        answer -> {
          if (answer.isOk()) {
            isReported = true;
            isReporting = false;
            reportedNanos = timer.nanos();
          } else {
            reread(attempt);
          }
        });
  }

  /** Each attempt behind the first begins with the Node as the server has it. */
  private void reread(int attempt) {
    if (isStopped || attempt + 1 >= KubeletTimes.ATTEMPTS) {
      isReporting = false;
      return;
    }
    api.send(
        heartbeat(Call.get(RESOURCE, PATH + "/" + name)),
        answer -> {
          if (answer.isOk()) {
            report(attempt + 1);
          } else {
            reread(attempt + 1);
          }
        });
  }
}

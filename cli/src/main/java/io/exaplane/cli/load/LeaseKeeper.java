// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.time.Duration;
import java.util.Map;

/**
 * One Lease, created and renewed as the controller of kubelets does: a renewal needs no read, a
 * conflict needs one, and a Lease that is missing is created again. Used on the load's thread.
 *
 * <p>Source, in Kubernetes 1.37: {@code component-helpers/apimachinery/lease/controller.go} (sync,
 * backoffEnsureLease, retryUpdateLease).
 */
final class LeaseKeeper {
  private static final String RESOURCE = "leases";

  private final Api api;
  private final Timer timer;
  private final Settings settings;
  private final String name;
  private final String path;
  private String ownerUid = "";
  private byte[] lease;
  private long renewedNanos;
  private boolean isStopped;

  /**
   * What all Leases of a load have in common.
   *
   * @param asNode whether requests are sent in the name of the node that the Lease is called after
   * @param gaps takes the time between two renewals of a Lease
   */
  record Settings(
      String namespace,
      Map<String, String> labels,
      Duration duration,
      Duration timeout,
      boolean asNode,
      Times gaps) {}

  LeaseKeeper(Api api, Timer timer, Settings settings, String name) {
    this.api = api;
    this.timer = timer;
    this.settings = settings;
    this.name = name;
    this.path = "/apis/coordination.k8s.io/v1/namespaces/" + settings.namespace() + "/leases";
  }

  /** Makes the Node of the same name its owner when it is created. */
  void ownedBy(String nodeUid) {
    ownerUid = nodeUid;
  }

  /**
   * Renews the Lease, or creates it.
   *
   * @param done runs when it is renewed, or when the kubelet would wait for its next time
   */
  void sync(Runnable done) {
    if (lease == null) {
      ensure(0, done);
    } else {
      renew(0, true, done);
    }
  }

  /**
   * Books the time since the last renewal, which has not ended, if it is longer than so many ns.
   * Without it, a Lease that nobody renews any more would have no long gap at all.
   */
  void bookOpenGap(long longerThanNanos) {
    long open = timer.nanos() - renewedNanos;
    if (renewedNanos != 0 && open > longerThanNanos) {
      settings.gaps().add(open);
    }
  }

  boolean exists() {
    return lease != null;
  }

  /** Sends nothing from now on. */
  void stop() {
    isStopped = true;
  }

  private Call mine(Call call) {
    return (settings.asNode() ? call.as(name) : call).within(settings.timeout());
  }

  private void renew(int attempt, boolean mayEnsure, Runnable done) {
    if (isStopped) {
      return;
    }
    if (attempt >= KubeletTimes.ATTEMPTS) {
      if (mayEnsure) {
        ensure(0, () -> renew(0, false, done));
      } else {
        done.run();
      }
      return;
    }
    byte[] body = LeaseBody.renewed(lease, settings.duration(), timer.now());
    api.send(
        mine(Call.update(RESOURCE, path + "/" + name, body)),
        answer -> {
          if (answer.isOk()) {
            keep(answer);
            done.run();
          } else if (answer.status() == Answer.CONFLICT) {
            ensure(0, () -> renew(attempt + 1, mayEnsure, done));
          } else {
            renew(attempt + 1, mayEnsure, done);
          }
        });
  }

  private void ensure(int failures, Runnable done) {
    if (isStopped) {
      return;
    }
    api.send(
        mine(Call.get(RESOURCE, path + "/" + name)),
        answer -> {
          if (answer.isOk()) {
            boolean isNew = lease == null;
            lease = Kube.unwrapped(answer.body());
            if (isNew) {
              renew(0, false, done);
            } else {
              done.run();
            }
          } else if (answer.status() == Answer.NOT_FOUND) {
            create(failures, done);
          } else {
            again(failures, done);
          }
        });
  }

  private void create(int failures, Runnable done) {
    if (isStopped) {
      return;
    }
    byte[] body =
        LeaseBody.created(
            settings.namespace(),
            name,
            ownerUid,
            settings.labels(),
            settings.duration(),
            timer.now());
    api.send(
        mine(Call.create(RESOURCE, path, Call.PROTOBUF, body)),
        answer -> {
          if (answer.isOk()) {
            keep(answer);
            done.run();
          } else {
            again(failures, done);
          }
        });
  }

  private void again(int failures, Runnable done) {
    timer.after(KubeletTimes.pause(failures + 1), () -> ensure(failures + 1, done));
  }

  private void keep(Answer answer) {
    lease = Kube.unwrapped(answer.body());
    long now = timer.nanos();
    if (renewedNanos != 0) {
      settings.gaps().add(now - renewedNanos);
    }
    renewedNanos = now;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.kube.ApiWriter.Reply;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;

/**
 * Writes what is said of groups of pods: of each group one thing after the other, and of what was
 * said while another was being written only the last. What a group has already is not written
 * again, and a group that was scheduled once stays so. Any thread. Source:
 * pkg/scheduler/schedule_one_podgroup.go, updatePodGroupCondition.
 */
final class GroupStatuses {
  private static final Logger LOG = Logger.getLogger(GroupStatuses.class);
  private static final String GROUP = "/apis/scheduling.k8s.io/v1beta1/namespaces/%s/podgroups/%s";

  private final Sender sender;
  private final Executor threads;

  /**
   * By path, of groups of which something is being written, what is to be written then; or null.
   */
  private final Map<String, GroupStatus> next = new HashMap<>();

  GroupStatuses(Sender sender, Executor threads) {
    this.sender = sender;
    this.threads = threads;
  }

  /** Lets something be written soon. */
  void say(String namespace, String name, GroupStatus status) {
    String path = GROUP.formatted(namespace, name);
    synchronized (next) {
      if (next.containsKey(path)) {
        next.put(path, status);
        return;
      }
      next.put(path, null);
    }
    threads.execute(() -> writeAll(path, status));
  }

  private void writeAll(String path, GroupStatus first) {
    boolean ended = false;
    try {
      for (GroupStatus status = first; status != null; status = following(path)) {
        write(path, status);
      }
      ended = true;
    } catch (FencedException e) {
      LOG.debugf("%s: not written, since another process is in charge", path);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (!ended) {
        synchronized (next) {
          next.remove(path);
        }
      }
    }
  }

  /** Null if nothing is to be written; then nobody writes any more. */
  private GroupStatus following(String path) {
    synchronized (next) {
      GroupStatus status = next.replace(path, null);
      if (status == null) {
        next.remove(path);
      }
      return status;
    }
  }

  private void write(String path, GroupStatus status) throws FencedException, InterruptedException {
    Reply now = sender.send(Requests.get(path));
    if (!now.isSuccess()) {
      warn(path, now);
      return;
    }
    Fields meta = Fields.of(now.object(), "PodGroup").child("metadata");
    Map<?, ?> before = condition(now.object());
    Object was = before.get("status");
    boolean regresses = GroupStatus.TRUE.equals(was) && !status.status().equals(was);
    boolean isThere =
        status.status().equals(was)
            && status.reason().equals(before.get("reason"))
            && status.message().equals(before.get("message"));
    if (regresses || isThere) {
      return;
    }
    Map<String, Object> condition = new LinkedHashMap<>();
    condition.put("type", GroupStatus.TYPE);
    condition.put("status", status.status());
    condition.put("reason", status.reason());
    condition.put("message", status.message());
    condition.put("observedGeneration", meta.integer("generation", 0));
    if (!status.status().equals(was)) {
      condition.put("lastTransitionTime", Requests.seconds(Instant.now()));
    }
    warn(path, sender.send(Requests.groupStatus(path, meta.string("uid"), condition)));
  }

  private static Map<?, ?> condition(Map<?, ?> group) {
    if (group.get("status") instanceof Map<?, ?> status
        && status.get("conditions") instanceof Iterable<?> conditions) {
      for (Object each : conditions) {
        if (each instanceof Map<?, ?> condition && GroupStatus.TYPE.equals(condition.get("type"))) {
          return condition;
        }
      }
    }
    return Map.of();
  }

  private static void warn(String path, Reply reply) {
    if (!reply.isSuccess() && reply.status() != HttpStatus.NOT_FOUND) {
      LOG.warnf("%s: the status was not written: %s", path, reply.message());
    }
  }
}

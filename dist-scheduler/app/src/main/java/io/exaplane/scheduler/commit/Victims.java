// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.kube.ApiWriter.Reply;
import java.time.Instant;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Lets pods go for a more important one. Any thread; it blocks the one that asks. Source:
 * pkg/scheduler/framework/preemption/executor.go.
 */
final class Victims {
  private static final Logger LOG = Logger.getLogger(Victims.class);

  private final Sender sender;
  private final Events events;

  Victims(Sender sender, Events events) {
    this.sender = sender;
    this.events = events;
  }

  /**
   * Deletes them, unless they have left their nodes or are leaving them.
   *
   * @return why one could not be deleted, or null
   */
  String evict(List<Victim> gone, Preemptor by) throws FencedException, InterruptedException {
    String trouble = null;
    for (Victim victim : gone) {
      String said = evict(victim.pod(), victim.node(), by);
      trouble = said == null ? trouble : said;
    }
    return trouble;
  }

  private String evict(PodRef pod, String node, Preemptor by)
      throws FencedException, InterruptedException {
    Reply reply = sender.send(Requests.get(pod.path()));
    if (reply.status() == HttpStatus.NOT_FOUND) {
      return null;
    }
    if (!reply.isSuccess()) {
      return pod + ": " + reply.message();
    }
    Fields now = Fields.of(reply.object(), "Pod");
    Fields meta = now.child("metadata");
    String isOn = now.child("spec").string("nodeName");
    boolean isOnItsWay = isOn.isEmpty() && meta.string("uid").equals(pod.uid());
    if ((!isOn.equals(node) && !isOnItsWay) || meta.has("deletionTimestamp")) {
      return null;
    }
    PodRef victim = new PodRef(pod.namespace(), pod.name(), meta.string("uid"), by.scheduler());
    Reply told = sender.send(Requests.disruption(victim, by, Instant.now()));
    if (!told.isSuccess()) {
      return told.status() == HttpStatus.NOT_FOUND ? null : victim + ": " + told.message();
    }
    Reply gone = sender.send(Requests.deletion(victim));
    boolean isGone = gone.status() == HttpStatus.NOT_FOUND || gone.status() == HttpStatus.CONFLICT;
    if (!gone.isSuccess() && !isGone) {
      return victim + ": " + gone.message();
    }
    if (gone.isSuccess()) {
      LOG.infof("%s is evicted from %s for %s", victim, node, by);
      events.tell(Notice.preempted(victim, by), Instant.now());
    }
    return null;
  }
}

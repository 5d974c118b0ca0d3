// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Does the operator's part: gives each node the prefix that the node asks for, or refuses. One
 * thread of its own; a prefix can be refused by any.
 */
final class Hand implements AutoCloseable {
  private static final String ASKED = "exaplane.io/pod-prefix";
  private static final String REFUSED = "exaplane.io/pod-prefix-refused";
  private static final long LOOK_MS = 200;

  private final Cluster cluster;
  private final Map<String, String> refusals = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean ended;
  private volatile boolean idle;
  private volatile String given = "";

  private Hand(Cluster cluster) {
    this.cluster = cluster;
    thread = Thread.ofVirtual().unstarted(this::work);
  }

  static Hand start(Cluster cluster) {
    Hand hand = new Hand(cluster);
    hand.thread.start();
    return hand;
  }

  /** From now on this prefix is refused, with this sentence; "" accepts it again. */
  void refuse(String prefix, String sentence) {
    if (sentence.isEmpty()) {
      refusals.remove(prefix);
    } else {
      refusals.put(prefix, sentence);
    }
  }

  /** Whether nobody is answered. */
  void idle(boolean is) {
    idle = is;
  }

  /** The next node that asks for nothing gets this, as from an allocator. */
  void give(String cidr) {
    given = cidr;
  }

  private void work() {
    while (!ended) {
      try {
        Thread.sleep(LOOK_MS);
        if (!idle) {
          for (JsonNode node : cluster.got("/api/v1/nodes").path("items")) {
            answer(node);
          }
        }
      } catch (InterruptedException e) {
        return;
      } catch (IOException | RuntimeException | AssertionError e) {
        if (!ended) {
          System.err.println("the hand tries again: " + e.getMessage());
        }
      }
    }
  }

  private void answer(JsonNode node) throws IOException, InterruptedException {
    String asked = node.path("metadata").path("annotations").path(ASKED).asText();
    boolean refused = node.path("metadata").path("annotations").has(REFUSED);
    if (asked.isEmpty() && !given.isEmpty()) {
      asked = given;
    }
    if (asked.isEmpty() || refused || node.path("spec").has("podCIDRs")) {
      return;
    }
    String path = "/api/v1/nodes/" + node.path("metadata").path("name").asText();
    String sentence = refusals.get(asked);
    if (sentence == null) {
      cluster.changed(
          path,
          "{\"spec\": {\"podCIDR\": \"%s\", \"podCIDRs\": [\"%s\"]}}".formatted(asked, asked));
    } else {
      cluster.changed(
          path, "{\"metadata\": {\"annotations\": {\"%s\": \"%s\"}}}".formatted(REFUSED, sentence));
    }
  }

  @Override
  public void close() {
    ended = true;
    thread.interrupt();
  }
}

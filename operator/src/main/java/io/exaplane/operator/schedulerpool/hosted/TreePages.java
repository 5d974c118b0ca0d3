// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus.Tree;
import io.exaplane.operator.net.IpAddresses;
import io.exaplane.operator.probe.BoundedGet;
import io.exaplane.operator.probe.ProbeFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Optional;

/** The page {@code /tree} of roots. Thread-safe. */
final class TreePages {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final long MOST_BYTES = 4 << 20;
  private static final int HTTP_PORT = 10260;
  private static final JsonMapper JSON = new JsonMapper();

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

  /**
   * What one says.
   *
   * @param role what the process does, in its own words
   * @param members of the tree, as it comes
   */
  record Page(String role, Tree tree, List<LiveTree.Member> members) {
    boolean standsBy() {
      return role.equals("stands by");
    }
  }

  /** Asks for one; nothing if there is no answer: who is in charge is told by the Lease. */
  Optional<Page> get(String address) {
    URI page = URI.create("http://%s:%d/tree".formatted(IpAddresses.urlHost(address), HTTP_PORT));
    try {
      HttpResponse<String> response = BoundedGet.of(http, page, TIMEOUT, MOST_BYTES);
      return response.statusCode() == 200 ? Optional.of(parse(response.body())) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  static Page parse(String page) throws JsonProcessingException {
    JsonNode root = JSON.readTree(page);
    IntSummaryStatistics nodes = new IntSummaryStatistics();
    List<LiveTree.Member> members = new ArrayList<>();
    int relays = 0;
    for (JsonNode member : root.path("members")) {
      if (member.path("kind").asText().equals("shard")) {
        nodes.accept(member.path("nodes").asInt());
      } else {
        relays++;
      }
      members.add(
          new LiveTree.Member(
              ProbeFailure.name(member.path("name").asText()),
              member.path("kind").asText().equals("shard"),
              member.path("nodes").asInt(),
              member.path("answerMicros").asLong(),
              member.path("silentMs").asLong()));
    }
    boolean none = nodes.getCount() == 0;
    return new Page(
        root.path("role").asText(),
        new Tree(
            relays,
            (int) nodes.getCount(),
            (int) nodes.getSum(),
            none ? 0 : nodes.getMin(),
            none ? 0 : nodes.getMax(),
            root.path("complete").asBoolean()),
        members);
  }
}

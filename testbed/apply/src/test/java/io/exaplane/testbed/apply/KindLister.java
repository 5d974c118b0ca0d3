// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Lists each kind soon after it is served, as garbage collection does in every cluster: only then
 * kube-apiserver has handlers and caches of the kind. Has a thread of its own.
 */
final class KindLister implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int OK = 200;

  private final LimitedServer server;
  private final Set<String> listed = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

  KindLister(LimitedServer server) {
    this.server = server;
    thread.scheduleWithFixedDelay(this::look, 0, 3, TimeUnit.SECONDS);
  }

  private void look() {
    try {
      JsonNode groups = JSON.readTree(Http.get(server.uri("/apis")).body()).path("groups");
      for (JsonNode group : groups) {
        String name = group.path("name").asText();
        if (name.endsWith(".scale.exaplane.io")) {
          list("/apis/" + group.path("preferredVersion").path("groupVersion").asText());
        }
      }
    } catch (IOException e) {
      // A busy server is asked again 3 s later, as controllers do.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      // One that left this method would end all lists. The count of kinds then says so.
      e.printStackTrace();
    }
  }

  private void list(String groupVersion) throws IOException, InterruptedException {
    JsonNode resources = JSON.readTree(Http.get(server.uri(groupVersion)).body()).path("resources");
    for (JsonNode resource : resources) {
      String path = groupVersion + "/" + resource.path("name").asText();
      if (!listed.contains(path) && Http.get(server.uri(path + "?limit=1")).statusCode() == OK) {
        listed.add(path);
      }
    }
  }

  /** Waits until so many kinds are listed. */
  void await(int kinds) throws Exception {
    Await.until(kinds + " kinds are listed", () -> listed.size() == kinds);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}

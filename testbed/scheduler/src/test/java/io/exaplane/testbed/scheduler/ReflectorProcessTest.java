// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.kube.ApiStream;
import io.exaplane.scheduler.kube.Fabric8Api;
import io.exaplane.scheduler.kube.RealPace;
import io.exaplane.scheduler.kube.Reflector;
import io.exaplane.scheduler.kube.Resource;
import io.exaplane.testbed.machine.Await;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Reflectors on a real kube-apiserver that dies and comes back meanwhile. */
class ReflectorProcessTest {
  private static final Duration DEADLINE = Duration.ofSeconds(90);
  private static final int CHANGES = 400;

  private final List<Reflector> reflectors = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  @Test
  void knowWhatTheServerHas() throws Exception {
    long seed = System.nanoTime();
    LiveApi api = SharedApi.lend();
    try (KubernetesClient client = api.client();
        Fabric8Api stream = new Fabric8Api(client.getConfiguration(), Duration.ofSeconds(10))) {
      Mirror streamed = new Mirror();
      Mirror paged = new Mirror();
      Resource.of(Version.newest()).forEach(resource -> start(resource, stream, streamed));
      Resource pods = resource("Pod");
      start(pods, (path, accept) -> withoutStreamedLists(stream, path, accept), paged);
      try {
        readsManyAnswersToTheirEnd(stream);
        Await.until("lists of all kinds", () -> reflectors.stream().allMatch(Reflector::isInStep));
        Changes changes = new Changes(client, new Random(seed));
        changes.make(CHANGES);
        awaitSame(seed, client, streamed, paged);
        int lists = streamed.lists();
        api.killApiServer();
        api.startApiServer();
        // A connection of before is gone, which the first request may learn.
        Await.until(
            "the server is reached", () -> client.namespaces().withName("default").get() != null);
        changes.make(CHANGES);
        awaitSame(seed, client, streamed, paged);
        Await.until("lists from a server that has forgotten", () -> streamed.lists() > lists);
      } finally {
        reflectors.forEach(Reflector::stop);
        for (Thread thread : threads) {
          thread.join(DEADLINE);
          assertThat(thread.isAlive()).isFalse();
        }
      }
    }
  }

  /** On a connection that goes on to the next request while the last answer is closed. */
  private static void readsManyAnswersToTheirEnd(ApiStream api) throws Exception {
    for (int i = 0; i < 100; i++) {
      ApiStream.Answer answer = api.get("/api/v1/namespaces?limit=1", "application/json");
      try (InputStream body = answer.body()) {
        assertThat(answer.status()).isEqualTo(200);
        assertThat(body.readAllBytes()).isNotEmpty();
      }
    }
  }

  private void start(Resource resource, ApiStream api, Mirror mirror) {
    Reflector reflector = new Reflector(resource, api, mirror, new RealPace());
    reflectors.add(reflector);
    threads.add(Thread.ofVirtual().name(resource.plural()).start(reflector));
  }

  /** As a server answers that cannot list as a stream. */
  private static ApiStream.Answer withoutStreamedLists(ApiStream api, String path, String accept)
      throws IOException, InterruptedException {
    return path.contains("sendInitialEvents")
        ? new ApiStream.Answer(422, Duration.ZERO, new ByteArrayInputStream(new byte[0]))
        : api.get(path.replaceAll("limit=\\d+", "limit=7"), accept);
  }

  private static Resource resource(String kind) {
    return Resource.of(Version.newest()).stream()
        .filter(one -> one.kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  private static void awaitSame(long seed, KubernetesClient client, Mirror streamed, Mirror paged)
      throws InterruptedException {
    for (Resource resource : Resource.of(Version.newest())) {
      if (resource.plural().equals("podgroups") && !isServed(client, resource)) {
        continue; // Those of v1alpha2 are 1.36's alone.
      }
      Await.until(
          "seed %d: %s are as the server has them".formatted(seed, resource.plural()),
          () -> streamed.of(resource).equals(listed(client, resource)));
    }
    Await.until(
        "seed %d: pods by pages are as the server has them".formatted(seed),
        () -> paged.of(resource("Pod")).equals(listed(client, resource("Pod"))));
  }

  private static boolean isServed(KubernetesClient client, Resource resource) {
    APIResourceList served = client.getApiResources(resource.apiVersion());
    return served != null
        && served.getResources().stream().anyMatch(one -> one.getName().equals(resource.plural()));
  }

  private static Map<String, String> listed(KubernetesClient client, Resource resource) {
    Map<String, String> versions = new TreeMap<>();
    try {
      for (GenericKubernetesResource object :
          client
              .genericKubernetesResources(resource.apiVersion(), resource.kind())
              .inAnyNamespace()
              .list()
              .getItems()) {
        String namespace = object.getMetadata().getNamespace();
        versions.put(
            (namespace == null ? "" : namespace) + "/" + object.getMetadata().getName(),
            object.getMetadata().getResourceVersion());
      }
      return versions;
    } catch (KubernetesClientException e) {
      return Map.of("the server", e.getMessage());
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static java.net.HttpURLConnection.HTTP_CONFLICT;
import static java.net.HttpURLConnection.HTTP_INTERNAL_ERROR;
import static java.net.HttpURLConnection.HTTP_NOT_FOUND;

import io.exaplane.testbed.machine.Http;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A little of what goes on in a cluster, round after round: nodes renew Leases, pods come and go
 * under two schedulers, clients list and watch. It is no administrator, so its requests wait for
 * seats. One thread.
 */
final class MonitoredLoad implements AutoCloseable {
  static final int NODES = 3;
  static final String OTHER_SCHEDULER = "exaplane";
  private static final Duration ROUND = Duration.ofMillis(500);

  /** Pods live for so many rounds. */
  private static final int LIFE = 20;

  /** Each so many rounds, so seldom that no alert fires. */
  private static final int TROUBLE = 10;

  /** The same for a watch that nobody reads, which takes some megabytes. */
  private static final int UNREAD = 12 * TROUBLE;

  private static final String NODES_PATH = "/api/v1/nodes";
  static final int TOO_MANY_REQUESTS = 429;

  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";

  private static final String PODS = "/api/v1/namespaces/default/pods";

  /** As Kubernetes writes times of Leases. */
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final URI api;
  private final HttpClient client = Http.multiplexing();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "load");
  private final MonitoredTrouble faults;
  private volatile String trouble = "";

  private MonitoredLoad(URI api) throws Exception {
    this.api = api;
    this.faults = new MonitoredTrouble(api, this::ask);
  }

  /** At a control plane that {@link MonitoredTrouble#prepare} has prepared. */
  static MonitoredLoad start(URI api) throws Exception {
    MonitoredLoad load = new MonitoredLoad(api);
    load.thread.start();
    return load;
  }

  /** A node that is Ready as long as its Lease is renewed. */
  static String node(int number) {
    String now = Instant.ofEpochSecond(Instant.now().getEpochSecond()).toString();
    return """
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"node-%1$d","labels":{"kubernetes.io/hostname":"node-%1$d"}},
         "status":{"capacity":{"cpu":"64","memory":"256Gi","pods":"1000"},
           "allocatable":{"cpu":"64","memory":"256Gi","pods":"1000"},
           "conditions":[{"type":"Ready","status":"True","reason":"KubeletReady","message":"ready",
             "lastHeartbeatTime":"%2$s","lastTransitionTime":"%2$s"}]}}
        """
        .formatted(number, now);
  }

  private void run() {
    try {
      for (int round = 0; !closed.await(ROUND.toMillis(), TimeUnit.MILLISECONDS); ) {
        round += isDone(round) ? 1 : 0;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One that a busy server does not answer is repeated. */
  private boolean isDone(int round) throws InterruptedException {
    try {
      round(round);
      return true;
    } catch (IOException e) {
      System.err.println("the load goes on: " + e);
      return false;
    }
  }

  private void round(int round) throws IOException, InterruptedException {
    for (int i = 0; i < NODES; i++) {
      renew(i, round);
    }
    for (String scheduler : new String[] {"default-scheduler", OTHER_SCHEDULER}) {
      ask("POST", PODS, pod(name(scheduler, round), scheduler));
      if (round >= LIFE) {
        ask("DELETE", PODS + "/" + name(scheduler, round - LIFE) + "?gracePeriodSeconds=0", "");
      }
    }
    // One answer by the cache at once, one that waits for what is newest, one watch of a second.
    ask("GET", "/api/v1/pods?resourceVersion=0", "");
    ask("GET", "/api/v1/pods", "");
    ask("GET", "/api/v1/nodes", "");
    if (round % TROUBLE == 0) {
      makeTrouble(round);
    }
    if (round % UNREAD == 0) {
      faults.leaveUnread(round);
    }
    if (round % LIFE == 0) {
      ask("GET", "/api/v1/services?watch=true&timeoutSeconds=1", "");
    }
  }

  /**
   * What panels show when something is wrong: a LIST past the caches, one of a revision that the
   * store does not have, requests that are rejected, a pass of the operator that fails. A node
   * comes, gets a range and goes.
   */
  private void makeTrouble(int round) throws IOException, InterruptedException {
    ask("GET", "/api/v1/events", "");
    ask("GET", "/api/v1/events?resourceVersionMatch=Exact&resourceVersion=1000000000000", "");
    ask("POST", NODES_PATH, node(NODES + round));
    ask("DELETE", NODES_PATH + "/node-" + (NODES + round - TROUBLE), "");
    faults.crowd();
    faults.failAPass(round, round - TROUBLE);
  }

  private static String name(String scheduler, int round) {
    return scheduler + "-" + round;
  }

  private static String pod(String name, String scheduler) {
    return """
        {"metadata":{"name":"%s"},"spec":{"schedulerName":"%s","containers":[{"name":"c","image":"none"}]}}
        """
        .formatted(name, scheduler);
  }

  /** As a kubelet: creates it once, then writes what it read. */
  private void renew(int node, int round) throws IOException, InterruptedException {
    String now = MICROS.format(Instant.now());
    String lease =
        """
        {"metadata":{"name":"node-%1$d"%2$s},
         "spec":{"holderIdentity":"node-%1$d","leaseDurationSeconds":40,"renewTime":"%3$s"}}
        """;
    if (round == 0) {
      ask("POST", LEASES, lease.formatted(node, "", now));
      return;
    }
    String path = LEASES + "/node-" + node;
    String version =
        ask("GET", path, "").replaceAll("(?s).*?\"resourceVersion\": *\"(\\d+)\".*", "$1");
    ask("PUT", path, lease.formatted(node, ",\"resourceVersion\":\"" + version + "\"", now));
  }

  private String ask(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(api.resolve(path))
            .timeout(Duration.ofMinutes(2))
            .header("Authorization", "Bearer " + MonitoredFleet.READER)
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
    int status = answer.statusCode();
    boolean isOfBusyServer = status >= HTTP_INTERNAL_ERROR || status == TOO_MANY_REQUESTS;
    // In a round that is repeated, there is what was made, and what was deleted is gone.
    boolean isRepeated = status == HTTP_CONFLICT || status == HTTP_NOT_FOUND;
    if (status / 100 != 2 && !isOfBusyServer && !isRepeated) {
      trouble = "%s %s: %s".formatted(method, path, answer.body());
    }
    return answer.body();
  }

  /** The newest thing that it could not do; empty for none. */
  String trouble() {
    return trouble;
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    faults.close();
    client.close();
  }
}

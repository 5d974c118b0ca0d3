// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Reads and writes a ConfigMap through one kube-apiserver, ten times a second. */
final class Heartbeat {
  private static final String PATH = "/api/v1/namespaces/default/configmaps";
  private static final long PERIOD_MS = 100;

  final Pauses pauses = new Pauses();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final ApiServer server;
  private final String name;
  private final Thread thread;
  private volatile boolean isStopped;

  private Heartbeat(ApiServer server, String name) {
    this.server = server;
    this.name = name;
    this.thread = Thread.ofVirtual().start(this::run);
  }

  static Heartbeat start(ApiServer server, String name) {
    return new Heartbeat(server, name);
  }

  private void run() {
    try {
      for (int i = 0; !isStopped; i++) {
        String object =
            "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"number\":\"%d\"}}".formatted(name, i);
        if (i == 0) {
          ask("POST", PATH, object);
        } else {
          ask("PUT", PATH + "/" + name, object);
          ask("GET", PATH + "/" + name, "");
        }
        Thread.sleep(PERIOD_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void ask(String method, String path, String body) throws InterruptedException {
    long sent = System.nanoTime();
    try {
      HttpResponse<String> answer = server.ask(method, path, body);
      if (answer.statusCode() / 100 == 2) {
        pauses.succeeded(sent);
      } else {
        failures.add("%s: %d %s".formatted(method, answer.statusCode(), answer.body()));
      }
    } catch (IOException e) {
      failures.add("%s: %s".formatted(method, e));
    }
  }

  /** Requests that did not succeed. */
  List<String> failures() {
    return failures;
  }

  /** Ends it, after its request. */
  void stop() throws InterruptedException {
    isStopped = true;
    thread.join();
  }
}

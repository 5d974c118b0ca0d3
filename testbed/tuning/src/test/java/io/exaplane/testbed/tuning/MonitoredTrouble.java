// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Http;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;

/**
 * Clients that fill a priority level, and do not read their watch, and a policy that lets passes of
 * the operator fail: what panels show of faults, a little of each. Used by one thread.
 */
final class MonitoredTrouble implements AutoCloseable {
  /** Whose level has one seat. */
  private static final String CROWD = "retrier";

  private static final String PODS = "/api/v1/namespaces/default/pods";

  /** Of requests while somebody else has the seat: the first may come before the other one. */
  private static final int TRIES = 20;

  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String UNREAD = "unread";

  /** Characters of an event: a kernel may keep some megabytes of them. */
  private static final int EVENT = 150_000;

  /** More than the channels of a watch take and the kernel keeps, both together. */
  private static final int EVENTS = 48;

  private static final String TASKS =
      "/apis/exaplane.io/v1alpha1/namespaces/default/controlplanetasks";

  private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/";

  private final Requests requests;
  private final URI api;
  private final Client crowd;

  /** How the load asks. */
  @FunctionalInterface
  interface Requests {
    void ask(String method, String path, String body) throws IOException, InterruptedException;
  }

  MonitoredTrouble(URI api, Requests requests) throws Exception {
    this.api = api;
    this.requests = requests;
    this.crowd = new Client(api, CROWD, "crowd/v1", "127.0.0.1");
  }

  /** The level with one seat, and the policy: the operator's finalizer is refused on tasks. */
  static void prepare(ControlPlane controlPlane) throws Exception {
    ListClient.refuse(controlPlane, ListClient.account(CROWD));
    apply(
        controlPlane,
        "validatingadmissionpolicies",
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicy
        metadata: {name: no-finalizers}
        spec:
          failurePolicy: Fail
          matchConstraints:
            resourceRules:
            - {apiGroups: [exaplane.io], apiVersions: ['*'], operations: [UPDATE], resources: [controlplanetasks]}
          validations:
          - {expression: '!has(object.metadata.finalizers)', reason: Forbidden, message: rule of the test}
        """);
    apply(
        controlPlane,
        "validatingadmissionpolicybindings",
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicyBinding
        metadata: {name: no-finalizers}
        spec: {policyName: no-finalizers, validationActions: [Deny]}
        """);
  }

  private static void apply(ControlPlane controlPlane, String resource, String manifest)
      throws Exception {
    HttpResponse<String> answer =
        Http.apply(
            controlPlane.uri(ADMISSION + resource + "/no-finalizers?fieldManager=test"), manifest);
    if (answer.statusCode() / 100 != 2) {
      throw new AssertionError(resource + ": " + answer.body());
    }
  }

  /** Requests that come while another one has the only seat, or the other one itself, get 429. */
  void crowd() throws IOException, InterruptedException {
    EndlessRequest seat = crowd.endlessPost(PODS);
    try {
      boolean rejected = seat.isAnswered();
      for (int i = 0; i < TRIES && !rejected; i++) {
        int status = crowd.status(PODS);
        rejected = status == MonitoredLoad.TOO_MANY_REQUESTS || seat.isAnswered();
      }
    } finally {
      seat.close();
    }
  }

  /** A watch whose client is too slow: the server ends it after some events. */
  void leaveUnread(int round) throws IOException, InterruptedException {
    requests.ask("POST", CONFIG_MAPS, configMap(""));
    URI watch = api.resolve(CONFIG_MAPS + "?watch=true&timeoutSeconds=60");
    try (UnreadWatch _ = new UnreadWatch(watch, MonitoredFleet.READER)) {
      for (int i = 0; i < EVENTS; i++) {
        requests.ask(
            "PUT", CONFIG_MAPS + "/" + UNREAD, configMap(round + "-" + i + "x".repeat(EVENT)));
      }
    }
  }

  private static String configMap(String text) {
    return "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"text\":\"%s\"}}".formatted(UNREAD, text);
  }

  /**
   * A task on which the operator cannot set its finalizer, after that of a former round is gone.
   */
  void failAPass(int round, int former) throws IOException, InterruptedException {
    requests.ask("DELETE", TASKS + "/refused-" + former, "");
    requests.ask(
        "POST",
        TASKS,
        """
        {"apiVersion":"exaplane.io/v1alpha1","kind":"ControlPlaneTask","metadata":{"name":"refused-%d"},
         "spec":{"controlPlaneRef":{"name":"none"},"restart":{"component":"KubeAPIServer"}}}
        """
            .formatted(round));
  }

  @Override
  public void close() {
    crowd.close();
  }
}

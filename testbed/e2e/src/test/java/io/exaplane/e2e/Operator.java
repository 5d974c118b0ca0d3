// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.api.model.EnvVar;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The operator that runs in the test bed. */
final class Operator {
  static final String USER =
      "system:serviceaccount:" + Bed.OPERATOR_NAMESPACE + ":exaplane-operator";
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String INTERVAL = "EXAPLANE_RECONCILIATION_INTERVAL";
  private static final String IN_ITS_NAMESPACE = "--namespace=" + Bed.OPERATOR_NAMESPACE;
  private static final String DEPLOYMENT = "deployment/exaplane-operator";
  private static final List<String> CONTROLLERS =
      List.of("controlplane", "schedulerpool", "storeshard");

  /** Of a pod: the Service would ask the standby as often. */
  private static final String METRICS =
      "/api/v1/namespaces/" + Bed.OPERATOR_NAMESPACE + "/pods/http:%s:8080/proxy/q/metrics";

  private static final String EXECUTIONS =
      "(?m)^operator_sdk_controllers_execution_reconcile_success_total\\{[^}]*controller=\"%s\"[^}]*} ([0-9.]+)";

  private Operator() {}

  /**
   * Restarts it, unless it does so already, as one that looks at everything again after so long;
   * returns when one leads and has looked at everything once.
   */
  static void looksEvery(String interval) {
    if (isSet(interval)) {
      return;
    }
    Bed.kubectl(IN_ITS_NAMESPACE, "set", "env", DEPLOYMENT, INTERVAL + "=" + interval);
    awaitRestarted();
    Bed.await(
        "each of the operator's controllers has reconciled",
        PATIENCE,
        () -> CONTROLLERS.stream().allMatch(controller -> reconciles(controller) > 0));
  }

  /** Restarts it as it is without a test; returns when it leads. */
  static void looksAsSeldomAsUsual() {
    Bed.kubectl(IN_ITS_NAMESPACE, "set", "env", DEPLOYMENT, INTERVAL + "-");
    awaitRestarted();
  }

  private static boolean isSet(String interval) {
    return Bed.CLIENT
        .apps()
        .deployments()
        .inNamespace(Bed.OPERATOR_NAMESPACE)
        .withName("exaplane-operator")
        .get()
        .getSpec()
        .getTemplate()
        .getSpec()
        .getContainers()
        .getFirst()
        .getEnv()
        .stream()
        .filter(variable -> variable.getName().equals(INTERVAL))
        .map(EnvVar::getValue)
        .anyMatch(interval::equals);
  }

  /** The value of a variable of its container; "" without one. */
  static String variable(String name) {
    return Bed.kubectl(
            IN_ITS_NAMESPACE,
            "get",
            DEPLOYMENT,
            "--output=jsonpath={.spec.template.spec.containers[0].env[?(@.name=='%s')].value}"
                .formatted(name))
        .strip();
  }

  /** The digest of the image that its leader runs, after an {@code @}. */
  static String digest() {
    String id =
        Bed.CLIENT
            .pods()
            .inNamespace(Bed.OPERATOR_NAMESPACE)
            .withName(Bed.leader())
            .get()
            .getStatus()
            .getContainerStatuses()
            .getFirst()
            .getImageID();
    return id.substring(id.indexOf('@'));
  }

  /** Replaces it by one with another variable; returns when that one leads. */
  static void set(String variable, String value) {
    Bed.kubectl(IN_ITS_NAMESPACE, "set", "env", DEPLOYMENT, variable + "=" + value);
    awaitRestarted();
  }

  private static void awaitRestarted() {
    Bed.kubectl(IN_ITS_NAMESPACE, "rollout", "status", DEPLOYMENT, "--timeout=300s");
    // The one before answers for a moment after the rollout, and holds the Lease.
    Bed.awaitLeader(PATIENCE);
  }

  /** How often a controller of the leader has looked at an object of its kind. */
  static int reconciles(String controller) {
    int[] sum = {0};
    Hosted.holds(
        () -> {
          Matcher matcher =
              Pattern.compile(EXECUTIONS.formatted(controller))
                  .matcher(Bed.CLIENT.raw(METRICS.formatted(Bed.leader())));
          while (matcher.find()) {
            sum[0] += (int) Double.parseDouble(matcher.group(1));
          }
          return true;
        });
    return sum[0];
  }
}

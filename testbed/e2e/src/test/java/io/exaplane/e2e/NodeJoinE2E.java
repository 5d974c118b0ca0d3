// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.EndpointType;
import io.fabric8.kubernetes.api.model.LoadBalancerIngressBuilder;
import io.fabric8.kubernetes.api.model.Service;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real kubelet, in a network namespace of its own, joins over IPv6 and runs pods. */
@Order(30)
@Tag("api")
class NodeJoinE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String LOAD_BALANCER = "fd00:10:1b::10";

  @BeforeAll
  static void up() {
    Demo.up();
  }

  @Test
  @Order(1)
  void aKubeletJoinsWithABootstrapToken() {
    Demo.host();
    Bed.awaitHolds(
        PATIENCE,
        () ->
            assertThat(Demo.hosted("get", "node", Demo.HOST))
                .contains(" Ready ", "v" + Bed.VERSION));
    Bed.await(
        "the kubelet's serving certificate is approved and issued",
        PATIENCE,
        () ->
            Demo.client()
                .certificates()
                .v1()
                .certificateSigningRequests()
                .list()
                .getItems()
                .stream()
                .filter(c -> c.getSpec().getSignerName().equals("kubernetes.io/kubelet-serving"))
                .filter(c -> c.getStatus() != null && c.getStatus().getCertificate() != null)
                .flatMap(c -> c.getStatus().getConditions().stream())
                .anyMatch(condition -> condition.getType().equals("Approved")));
  }

  @Test
  @Order(2)
  void aDeploymentRunsOnIt() {
    Demo.hosted("delete", "deployment", "hello", "--ignore-not-found", "--cascade=foreground");
    Demo.hosted(
        "create",
        "deployment",
        "hello",
        "--image=exaplane/kubectl:" + Bed.VERSION,
        "--",
        "sh",
        "-c",
        "echo hello from the hosted cluster; sleep 1000000");
    Demo.hosted("wait", "--for=condition=Available", "deployment/hello", "--timeout=300s");
    // A certificate that was just issued is a moment away from being served.
    Bed.await(
        "kubectl logs through the hosted apiserver",
        PATIENCE,
        () ->
            Demo.run("logs", "deployment/hello").output().contains("hello from the hosted cluster"),
        () -> Demo.run("logs", "deployment/hello").output());
    Bed.await(
        "kubectl exec through the hosted apiserver",
        PATIENCE,
        () -> hostname().output().startsWith("hello-"),
        () -> hostname().output());
  }

  @Test
  @Order(3)
  void aPodReachesTheApiThroughAClusterIp() {
    assertThat(Demo.get().getStatus().endpoint().port()).isEqualTo(6443);
    inClusterApiAnswers();
  }

  /**
   * With one apiserver, which 'kubectl scale' leaves, and which is not replaced for a load
   * balancer's longer delay. Until the last of these tests, the next pod is replaced when a new one
   * is ready for a second.
   */
  @Test
  @Order(4)
  void aPodReachesTheApiThroughANodePort() {
    inOneRollout(
        "{\"endpoint\":{\"type\":\"NodePort\"},\"rollout\":{\"minReadySeconds\":1},\"apiServer\":{\"tuning\":{\"shutdownDelay\":\"10s\"}}}",
        1);
    settledAs(EndpointType.NodePort);
    awaitApiServers("1/1");
    assertThat(Demo.get().getStatus().endpoint().port()).isGreaterThanOrEqualTo(30000);
    // The apiserver writes it, and the one that ends may write it last.
    Bed.awaitHolds(
        PATIENCE,
        () ->
            assertThat(Demo.hosted("get", "endpointslice", "kubernetes", "--output=yaml"))
                .contains("port: " + Demo.get().getStatus().endpoint().port()));
    inClusterApiAnswers();
  }

  @Test
  @Order(5)
  void aPodReachesTheApiThroughALoadBalancer() {
    Demo.patch("{\"spec\":{\"endpoint\":{\"type\":\"LoadBalancer\"}}}");
    var pending =
        Bed.awaitCondition(
            Demo.NAME,
            Demo.NAMESPACE,
            io.exaplane.api.v1alpha1.ConditionType.EndpointReady,
            "False",
            PATIENCE);
    assertThat(pending.status()).isEqualTo("False");
    Bed.awaitHolds(
        PATIENCE,
        () ->
            assertThat(
                    Bed.condition(Demo.get(), io.exaplane.api.v1alpha1.ConditionType.EndpointReady)
                        .orElseThrow()
                        .reason())
                .isEqualTo("LoadBalancerPending"));
    Bed.await("the load balancer has an address", PATIENCE, NodeJoinE2E::fillLoadBalancer);
    settledAs(EndpointType.LoadBalancer);
    assertThat(Demo.get().getStatus().endpoint().host()).isEqualTo(LOAD_BALANCER);
    inClusterApiAnswers();
  }

  @Test
  @Order(6)
  void aPodReachesTheApiThroughTheClusterIpAgainWhenBothApiserversHaveIt() {
    inOneRollout("{\"endpoint\":null,\"apiServer\":{\"tuning\":null}}", 2);
    settledAs(EndpointType.ClusterIP);
    Demo.patch("{\"spec\":{\"rollout\":null}}");
    awaitApiServers("2/2");
    assertThat(Demo.get().getStatus().endpoint().host()).isNotEqualTo(LOAD_BALANCER);
    inClusterApiAnswers();
  }

  private static Bed.Run hostname() {
    return Demo.run("exec", "deployment/hello", "--", "hostname");
  }

  /** What a provider's load balancer controller does. */
  private static boolean fillLoadBalancer() {
    return Bed.CLIENT
            .services()
            .inNamespace(Demo.NAMESPACE)
            .withName("demo-apiserver")
            .editStatus(
                service -> {
                  Service filled = service;
                  filled
                      .getStatus()
                      .getLoadBalancer()
                      .setIngress(
                          List.of(
                              new LoadBalancerIngressBuilder()
                                  .withIp(LOAD_BALANCER)
                                  .withIpMode("VIP")
                                  .build()));
                  return filled;
                })
        != null;
  }

  private static void awaitApiServers(String summary) {
    Bed.awaitHolds(
        PATIENCE,
        () -> assertThat(Demo.get().getStatus().apiServer().summary()).isEqualTo(summary));
  }

  /** A change of the spec and of the number of apiservers, which the operator sees together. */
  private static void inOneRollout(String spec, int replicas) {
    Demo.patch("{\"spec\":{\"pausedUntil\":\"true\"}}");
    Demo.patch("{\"spec\":" + spec + "}");
    Bed.kubectl("scale", "cpl", Demo.NAME, "--replicas=" + replicas);
    Demo.patch("{\"spec\":{\"pausedUntil\":null}}");
  }

  private static void settledAs(EndpointType type) {
    Bed.await(
        "the Service is of type " + type,
        PATIENCE,
        () ->
            Bed.CLIENT
                .services()
                .inNamespace(Demo.NAMESPACE)
                .withName("demo-apiserver")
                .get()
                .getSpec()
                .getType()
                .equals(type.name()));
    Demo.settled(PATIENCE);
  }

  /**
   * kubectl in the pod has no kubeconfig: it takes the service account, the CA and the Service. Any
   * option that overrides a part of a kubeconfig would make it look for one.
   */
  private static void inClusterApiAnswers() {
    Bed.await(
        "the API answers inside a pod",
        PATIENCE,
        () -> inCluster().output().contains("\"gitVersion\": \"v" + Bed.VERSION),
        () -> inCluster().output());
  }

  private static Bed.Run inCluster() {
    return Demo.run("exec", "deployment/hello", "--", "kubectl", "get", "--raw", "/version");
  }
}

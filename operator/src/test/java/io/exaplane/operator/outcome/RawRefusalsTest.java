// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.flowcontrol.v1.FlowSchema;
import io.fabric8.kubernetes.api.model.flowcontrol.v1.PriorityLevelConfiguration;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Line 31: what comes back as text of a proxy, of an API that is not served, or in the many lines
 * of a policy engine; with the kinds of objects that the operator writes seldom.
 */
class RawRefusalsTest {
  private static final List<Class<? extends HasMetadata>> KINDS =
      List.of(
          PersistentVolumeClaim.class,
          Pod.class,
          SchedulerPool.class,
          PriorityClass.class,
          ValidatingAdmissionPolicy.class,
          ValidatingAdmissionPolicyBinding.class,
          Role.class,
          RoleBinding.class,
          ClusterRole.class,
          ClusterRoleBinding.class,
          EndpointSlice.class,
          FlowSchema.class,
          PriorityLevelConfiguration.class,
          Namespace.class,
          ConfigMap.class);

  private HttpServer server;
  private KubernetesClient client;
  private volatile int code;
  private volatile String body;

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange
              .getResponseHeaders()
              .set("Content-Type", body.startsWith("{") ? "application/json" : "text/plain");
          exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(io.fabric8.kubernetes.client.Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // code | body | passes by itself
        "404 | 404 page not found | false",
        "404 | the server could not find the requested resource | false",
        "429 | Too many requests, please try again later. | true",
        "502 | <html><body>Bad Gateway</body></html> | true",
        "503 | upstream connect error | true",
        "503 | '' | true",
        "504 | '' | true",
        "403 | <html>Forbidden by proxy</html> | false",
        "500 | context deadline exceeded | true",
      })
  void whatIsNotTheApiServersOwnForm(int status, String text, boolean passes) throws Exception {
    code = status;
    body = text;
    for (Class<? extends HasMetadata> kind : KINDS) {
      HasMetadata object = object(kind);
      Refusal refusal = refused(() -> client.resource(object).serverSideApply());
      assertThat(refusal.object()).as(refusal.text()).isEqualTo(object.getKind() + " demo-x");
      assertThat(refusal.verb()).as(refusal.text()).isEqualTo("apply");
      assertThat(refusal.passes()).as(refusal.text()).isEqualTo(passes);
      plain(refusal.text());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // code | reason | message | who refuses or why | next action | passes
        "500 | InternalError | Internal error occurred: failed calling webhook \"w.example\": failed to call webhook: Post \"https://w.ns.svc:443/v?timeout=10s\": context deadline exceeded | Webhook w.example | Repair the webhook | false",
        "500 | InternalError | Internal error occurred: failed calling webhook \"w.example\": failed to call webhook: Post \"https://w.ns.svc:443/v?timeout=10s\": tls: failed to verify certificate: x509: certificate signed by unknown authority | Webhook w.example | Repair the webhook | false",
        "500 | InternalError | Internal error occurred: failed calling webhook \"w.example\": failed to call webhook: Post \"https://w.ns.svc:443/v?timeout=10s\": service \"w\" not found | Webhook w.example | Repair the webhook | false",
        "422 | Invalid | Deployment.apps \"demo-x\" is invalid: spec.selector: Invalid value: {}: field is immutable | field is immutable | kubectl | false",
        "422 | Invalid | StatefulSet.apps \"demo-x\" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden | updates to statefulset spec | kubectl | false",
        "422 | Invalid | Service \"demo-x\" is invalid: spec.clusterIPs[0]: Invalid value: []: field is immutable | field is immutable | kubectl | false",
        "409 | Conflict | Operation cannot be fulfilled on resourcequotas \"q\": the object has been modified; please apply your changes to the latest version and try again | has been modified | No action is needed | true",
        "404 | NotFound | namespaces \"ns\" not found | not found | namespace | false",
        "403 | Forbidden | pods \"demo-x\" is forbidden: status unknown for quota: small, resources: limits.cpu,limits.memory | ResourceQuota small | No action is needed | true",
        "403 | Forbidden | pods \"demo-x\" is forbidden: insufficient quota to match these scopes: [{PriorityClass In [exaplane-store]}] | A rule for ResourceQuotas | Create a ResourceQuota | false",
        "403 | Forbidden | pods \"demo-x\" is forbidden: no PriorityClass with name exaplane-store was found | no PriorityClass | restart the operator's pod | false",
        "403 | Forbidden | pods \"demo-x\" is forbidden: error looking up service account ns/default: serviceaccount \"default\" not found | service account ns/default | Create the ServiceAccount | false",
        "403 | Forbidden | pods \"demo-x\" is forbidden: memory max limit to request ratio per Container is 2, but provided ratio is 4.000000 | A LimitRange | maxLimitRequestRatio | false",
        "403 | Forbidden | pods \"demo-x\" is forbidden: unable to validate against any security context constraint: [provider \"restricted-v2\": .containers[0].runAsUser: Invalid value: 10001: must be in the ranges: [1000700000, 1000709999]] | SecurityContextConstraints | nonroot-v2 | false",
        "403 | Forbidden | configmaps \"demo-x\" is forbidden: unable to create new content in namespace ns because it is being terminated | being terminated | namespace | false",
      })
  void whoRefusesAndWhatToDo(
      int status, String reason, String message, String who, String next, boolean passes)
      throws Exception {
    code = status;
    body = status(reason, message);
    for (Class<? extends HasMetadata> kind : List.of(Deployment.class, Service.class)) {
      HasMetadata object = object(kind);
      Refusal refusal = refused(() -> client.resource(object).serverSideApply());
      assertThat(refusal.text()).contains(who).containsIgnoringCase(next);
      assertThat(refusal.passes()).as(refusal.text()).isEqualTo(passes);
      plain(refusal.text());
    }
  }

  /** Policy engines write lists over many lines, and some write pages. */
  @Test
  void manyLinesBecomeOne() throws Exception {
    code = 403;
    String rules = "\n  - rule-a: 'x'\n  - rule-b: \"y\"\n\tat line 3\n";
    for (String message :
        List.of(
            "admission webhook \"validate.example\" denied the request: \n\nresource Pod/ns/x was blocked due to the following policies"
                + rules,
            "admission webhook \"validate.example\" denied the request: "
                + "long ".repeat(5_000))) {
      body = status("Forbidden", message);
      HasMetadata object = object(Deployment.class);
      Refusal refusal = refused(() -> client.resource(object).serverSideApply());
      assertThat(refusal.text()).startsWith("Webhook validate.example refuses to apply Deployment");
      assertThat(refusal.text().length()).isLessThan(1_200);
      assertThat(refusal.text()).contains(message.contains("rule-a") ? "rule-b: \"y\"" : "long …");
      plain(refusal.text());
    }
  }

  private static void plain(String text) {
    assertThat(text)
        .endsWith(".")
        .doesNotContain("Exception", "\n", "\t", "..", "null ", "at line", "<html", "io.fabric8");
  }

  private String status(String reason, String message) {
    return Serialization.asJson(
        new StatusBuilder()
            .withStatus("Failure")
            .withCode(code)
            .withReason(reason)
            .withMessage(message)
            .build());
  }

  private static Refusal refused(Runnable request) {
    try {
      request.run();
      throw new AssertionError("was not refused");
    } catch (KubernetesClientException e) {
      return Refusals.of(new IllegalArgumentException("a workflow failed", e));
    }
  }

  private static HasMetadata object(Class<? extends HasMetadata> kind) throws Exception {
    HasMetadata object = kind.getConstructor().newInstance();
    object.setMetadata(new ObjectMetaBuilder().withName("demo-x").withNamespace("ns").build());
    return object;
  }
}

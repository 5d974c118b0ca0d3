// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Each way in which an API server refuses, with each kind of object that the operator writes.
 * Longer than others: the ways are one table.
 */
class RefusalsTest {
  private static final List<Class<? extends HasMetadata>> KINDS =
      List.of(
          Service.class,
          Secret.class,
          ConfigMap.class,
          Deployment.class,
          StatefulSet.class,
          PodDisruptionBudget.class,
          StoreShard.class,
          ControlPlane.class,
          Lease.class,
          Event.class);

  private HttpServer server;
  private KubernetesClient client;
  private volatile Answer answer;

  private record Answer(int code, String body) {}

  /**
   * One way to refuse.
   *
   * @param who and what else its text has to say
   * @param passes whether it passes by itself
   */
  private record Way(int code, String reason, String message, List<String> who, boolean passes) {}

  private static final List<Way> WAYS =
      List.of(
          way(
              403,
              "Forbidden",
              "services \"x\" is forbidden: exceeded quota: small, requested: count/services=1, used: count/services=2, limited: count/services=2",
              "ResourceQuota small",
              "requested: count/services=1",
              "Raise the quota"),
          way(
              403,
              "Forbidden",
              "pods \"x\" is forbidden: failed quota: small: must specify limits.cpu for: c",
              "ResourceQuota small",
              "must specify limits.cpu",
              "LimitRange"),
          way(
              403,
              "Forbidden",
              "admission webhook \"guard.example.org\" denied the request: labels are missing",
              "Webhook guard.example.org",
              "labels are missing"),
          way(
              400,
              "BadRequest",
              "admission webhook \"guard.example.org\" denied the request without explanation",
              "Webhook guard.example.org",
              "no reason"),
          way(
              500,
              "InternalError",
              "Internal error occurred: failed calling webhook \"guard.example.org\": failed to call webhook: Post \"https://guard.ns.svc:443/?timeout=10s\": no endpoints available for service \"guard\"",
              "Webhook guard.example.org",
              "no endpoints available",
              "Repair the webhook"),
          way(
              422,
              "Invalid",
              "services \"x\" is forbidden: ValidatingAdmissionPolicy 'team' with binding 'all' denied request: a name begins with team-",
              "ValidatingAdmissionPolicy team",
              "begins with team-"),
          way(
              403,
              "Forbidden",
              "pods \"x\" is forbidden: violates PodSecurity \"restricted:latest\": allowPrivilegeEscalation != false",
              "PodSecurity restricted:latest",
              "allowPrivilegeEscalation"),
          way(
              403,
              "Forbidden",
              "persistentvolumeclaims \"x\" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 10Gi",
              "LimitRange",
              "1Gi",
              "Change the LimitRange"),
          way(
              422,
              "Invalid",
              "Service \"x\" is invalid: spec.ports[0].nodePort: Invalid value: 30001: provided port is already allocated",
              "30001",
              "already allocated",
              "spec.endpoint.nodePort"),
          way(
              422,
              "Invalid",
              "Service \"x\" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767",
              "30000-32767",
              "spec.endpoint.nodePort"),
          way(
              500,
              "InternalError",
              "Internal error occurred: failed to allocate a serviceIP: range is full",
              "range is full",
              "Free an address"),
          way(
              403,
              "Forbidden",
              "services is forbidden: User \"system:serviceaccount:a:b\" cannot patch resource \"services\" in API group \"\" in the namespace \"ns\"",
              "RBAC",
              "system:serviceaccount:a:b cannot patch",
              "manifests"),
          way(
              403,
              "Forbidden",
              "unable to create new content in namespace ns because it is being terminated",
              "being terminated"),
          way(
              409,
              "Conflict",
              "Apply failed with 1 conflict: conflict with \"kubectl-edit\" using v1: .spec.ports",
              "field manager",
              "kubectl-edit",
              ".spec.ports"),
          way(
              409,
              "AlreadyExists",
              "services \"x\" already exists",
              "already exists",
              "Remove or rename"),
          way(
              409,
              "AlreadyExists",
              "object is being deleted: services \"x\" already exists",
              "being deleted",
              "finalizers"),
          way(
              413,
              "RequestEntityTooLarge",
              "Request entity too large: limit is 3145728",
              "3145728",
              "Report"),
          way(401, "Unauthorized", "Unauthorized", "Unauthorized", "token"),
          way(404, "NotFound", "namespaces \"ns\" not found", "not found", "namespace"),
          way(
              400,
              "BadRequest",
              "strict decoding error: unknown field \"spec.x\"",
              "spec.x",
              "CRDs"),
          way(
              500,
              "InternalError",
              "etcdserver: mvcc: database space exceeded",
              "store",
              "space exceeded",
              "Free space"),
          passing(
              409,
              "Conflict",
              "Operation cannot be fulfilled on services \"x\": the object has been modified; please apply your changes to the latest version and try again"),
          passing(
              409,
              "Conflict",
              "Operation cannot be fulfilled on services \"already exists\": the object has been modified; please apply your changes to the latest version and try again"),
          passing(429, "TooManyRequests", "too many requests, please try again later"),
          passing(500, "InternalError", "something broke"),
          passing(503, "ServiceUnavailable", "storage is (re)initializing"),
          passing(504, "Timeout", "Timeout: request did not complete within requested timeout"));

  private static Way way(int code, String reason, String message, String... who) {
    return new Way(code, reason, message, List.of(who), false);
  }

  private static Way passing(int code, String reason, String message) {
    return new Way(
        code, reason, message, List.of(message.substring(0, 12), "No action is needed"), true);
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(answer.code(), body.length);
          exchange.getResponseBody().write(body);
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

  @Test
  void eachSaysObjectVerbWhoWhyAndWhatNext() throws Exception {
    for (Way way : WAYS) {
      answer = new Answer(way.code(), status(way));
      for (Class<? extends HasMetadata> kind : KINDS) {
        HasMetadata object = object(kind);
        String name = object.getKind() + " demo-x";
        check(way, name, "apply", () -> client.resource(object).serverSideApply());
        check(way, name, "create", () -> client.resource(object).create());
        check(way, name, "delete", () -> client.resource(object).delete());
      }
      HasMetadata primary = object(ControlPlane.class);
      check(
          way,
          "the status of ControlPlane demo-x",
          "change",
          () -> client.resource(primary).patchStatus());
      check(way, "Node", "read", () -> client.nodes().list());
    }
  }

  private static void check(Way way, String object, String verb, Supplier<?> request) {
    Refusal refusal = refused(request);
    // Who deletes what is not there has what was wanted.
    if (refusal == null) {
      assertThat(verb).isIn("delete", "read");
      assertThat(way.code()).isEqualTo(404);
      return;
    }
    String text = refusal.text();
    assertThat(refusal.verb()).as(text).isEqualTo(verb);
    boolean named = !verb.equals("create");
    assertThat(refusal.object())
        .as(text)
        .startsWith(named ? object : object.replace(" demo-x", ""));
    assertThat(text).contains(way.who()).doesNotContain("Exception", "\n", "\tat ");
    assertThat(text).endsWith(".").doesNotContain("..");
    assertThat(refusal.passes()).as(text).isEqualTo(way.passes());
  }

  private static Refusal refused(Supplier<?> request) {
    try {
      request.get();
      return null;
    } catch (KubernetesClientException e) {
      return Refusals.of(new IllegalArgumentException("a workflow failed", e));
    }
  }

  @Test
  void nobodyIsToldToWaitForAPerson() {
    String problem = "Secret x is another's " + "and more ".repeat(100) + "of it";
    Refusal refusal =
        Refusals.of(
            new IllegalArgumentException(
                "a workflow failed", new NeedsPersonException(problem, "Delete the Secret.")));
    assertThat(refusal.passes()).isFalse();
    assertThat(refusal.text())
        .endsWith(problem + ". Delete the Secret.")
        .doesNotContainIgnoringCase("no action is needed");
    assertThat(Refusals.of(new AwaitedException("it waits")).passes()).isTrue();
    assertThat(
            Refusals.of(
                    new NeedsPersonException(
                        "x is not whole", "Delete x.", new KubernetesClientException("gone")))
                .text())
        .as("what a person has to do, and not what brought it up")
        .endsWith("x is not whole. Delete x.");
  }

  /** A fault of the operator's own does not pass, whatever a library calls it. */
  @Test
  void whoeverDoesNotWaitAsksForAReport() {
    for (RuntimeException fault :
        List.of(
            new IllegalStateException("Duplicate key demo (attempted merging values a and b)"),
            new NullPointerException("x is null"),
            new IllegalArgumentException("no such class"))) {
      Refusal refusal = Refusals.of(fault);
      assertThat(refusal.passes()).as(refusal.text()).isFalse();
      assertThat(refusal.text())
          .contains(fault.getMessage())
          .endsWith("Report this with the operator's log.");
    }
  }

  @Test
  void fieldsOfAnInvalidObjectAreNamed() throws Exception {
    Status status =
        new StatusBuilder()
            .withStatus("Failure")
            .withCode(422)
            .withReason("Invalid")
            .withMessage("Service \"x\" is invalid: [many]")
            .withDetails(new StatusDetails())
            .build();
    status
        .getDetails()
        .setCauses(
            List.of(
                new io.fabric8.kubernetes.api.model.StatusCause(
                    "spec.ports[0].port", "Invalid value: 0", "FieldValueInvalid"),
                new io.fabric8.kubernetes.api.model.StatusCause(
                    "spec.type", "Unsupported value", "FieldValueNotSupported")));
    answer = new Answer(422, Serialization.asJson(status));
    HasMetadata service = object(Service.class);
    assertThat(refused(() -> client.resource(service).serverSideApply()).text())
        .contains("spec.ports[0].port: Invalid value: 0; spec.type: Unsupported value");
  }

  @Test
  void aServerThatIsGoneIsWaitedFor() throws Exception {
    HasMetadata service = object(Service.class);
    server.stop(0);
    Refusal refusal = refused(() -> client.resource(service).serverSideApply());
    assertThat(refusal.passes()).as(refusal.text()).isTrue();
    assertThat(refusal.text()).contains("Service demo-x").doesNotContain("Exception", "\n");
  }

  @Test
  void ofManyTheFirstThreeAreTold() {
    List<Refusal> many =
        List.of(
            new Refusal("Service a", "apply", "Q", "why", "Act.", true),
            new Refusal("Service b", "apply", "Q", "why", "Act.", false),
            new Refusal("Service b", "apply", "Q", "why", "Act.", false),
            new Refusal("Service c", "apply", "Q", "why", "Act.", false),
            new Refusal("Service d", "apply", "Q", "why", "Act.", false));
    assertThat(Refusal.text(many))
        .startsWith("Q refuses to apply Service b")
        .endsWith("And 1 more.")
        .containsOnlyOnce("Service b");
  }

  @Test
  void oneRefusalStopsNoOther() {
    Outcomes outcomes = new Outcomes();
    outcomes.attempt(
        () -> {
          throw new KubernetesClientException("no");
        });
    assertThat(outcomes.attempt(() -> "made")).contains("made");
    assertThat(outcomes.refusals()).hasSize(1);
    assertThat(outcomes.nextAttempt()).isPresent();
    outcomes.begin();
    assertThat(outcomes.nextAttempt()).isEmpty();
  }

  private static String status(Way way) {
    return Serialization.asJson(
        new StatusBuilder()
            .withStatus("Failure")
            .withCode(way.code())
            .withReason(way.reason())
            .withMessage(way.message())
            .build());
  }

  private static HasMetadata object(Class<? extends HasMetadata> kind) throws Exception {
    Constructor<? extends HasMetadata> made = kind.getConstructor();
    HasMetadata object = made.newInstance();
    object.setMetadata(new ObjectMetaBuilder().withName("demo-x").withNamespace("ns").build());
    return object;
  }
}

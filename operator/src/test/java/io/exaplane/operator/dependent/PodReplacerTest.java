// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.AnsweringApi;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.restart.ComponentLook;
import io.exaplane.operator.restart.Dependency;
import io.exaplane.operator.restart.Looks;
import io.exaplane.operator.restart.PodLook;
import io.exaplane.operator.restart.RestartLedger;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.restart.RestartPolicy;
import io.exaplane.operator.status.EventRecorder;
import io.exaplane.operator.status.Recorders;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The deed of a plan: the pod as it was seen goes, once, and an Event says why. */
class PodReplacerTest {
  private static final Instant NOON = Looks.NOON;
  private static final String PATH = "/api/v1/namespaces/ns/pods/demo-apiserver-1";

  private final ControlPlane owner = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");

  @Test
  void aPodThatWasSeenGoesAndAChangedOneStays() throws Exception {
    try (MemoryApi api = new MemoryApi()) {
      Pod pod = Looks.waits("demo-apiserver-1", NOON.minusSeconds(900), 9, NOON.minusSeconds(90));
      Pod made = api.client().resource(pod).create();
      String version = made.getMetadata().getResourceVersion();
      replace(api, plan(made, "2"));
      assertThat(api.objects()).as("it has changed since").containsKey(PATH);
      assertThat(events(api)).isEmpty();
      replace(api, plan(made, version));
      assertThat(api.objects()).doesNotContainKey(PATH);
      assertThat(events(api))
          .singleElement()
          .asString()
          .contains("PodReplaced", "Normal", "waits in CrashLoopBackOff although");
      replace(api, plan(made, version));
      assertThat(events(api)).as("gone already").hasSize(1);
    }
  }

  /**
   * Line 31: whoever refuses the deletion is told of, and a replacement that never happens is not
   * counted until the budget is used up.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // answer | message | whether the plan replaces | what is told
        "200 | '' | true | ''",
        "403 | pods \"demo-apiserver-1\" is forbidden: User \"system:serviceaccount:e:o\" cannot delete resource \"pods\" in API group \"\" | false | RBAC refuses to delete Pod demo-apiserver-1",
        "403 | admission webhook \"w.example\" denied the request: keep it | false | Webhook w.example refuses to delete Pod demo-apiserver-1: keep it",
        "500 | failed calling webhook \"w.example\": context deadline exceeded | false | Webhook w.example",
        "429 | too many requests | false | The API server refuses to delete Pod demo-apiserver-1",
        "504 | timed out | false | The API server",
        "404 | pods \"demo-apiserver-1\" not found | false | ''",
        "400 | admission webhook \"w.example\" does not support dry run | true | ''",
      })
  void whatIsRefusedIsToldAndNotCounted(int code, String message, boolean replaces, String told)
      throws Exception {
    Pod pod = Looks.waits("demo-apiserver-1", NOON.minusSeconds(900), 9, NOON.minusSeconds(90));
    List<String> asked = new ArrayList<>();
    try (AnsweringApi api =
        new AnsweringApi(
            request -> {
              asked.add(request.method() + " " + request.body());
              return new AnsweringApi.Answer(
                  code,
                  code == 200
                      ? Serialization.asJson(pod)
                      : Serialization.asJson(
                          new StatusBuilder().withCode(code).withMessage(message).build()));
            })) {
      Outcomes outcomes = new Outcomes();
      RestartPlan allowed =
          PodReplacer.allowed(
              owner,
              true,
              mayReplace -> plan(pod, "1", mayReplace),
              context(api.client(), Optional.of(outcomes)));
      assertThat(allowed.replaced().isPresent()).isEqualTo(replaces);
      assertThat(
              allowed.status().components().stream()
                  .anyMatch(component -> component.replaced() != null))
          .as("counted")
          .isEqualTo(replaces);
      assertThat(asked).singleElement().asString().startsWith("DELETE").contains("dryRun");
      String text = Refusal.text(outcomes.refusals());
      if (told.isEmpty()) {
        assertThat(text).isEmpty();
      } else {
        assertThat(text).startsWith(told);
      }
    }
  }

  private static List<?> events(MemoryApi api) {
    return api.objects().entrySet().stream()
        .filter(entry -> entry.getKey().contains("/events/"))
        .map(entry -> entry.getValue().toString())
        .toList();
  }

  private static RestartPlan plan(Pod pod, String version) {
    RestartPlan plan = plan(pod, version, true);
    assertThat(plan.replaced()).isPresent();
    return plan;
  }

  private static RestartPlan plan(Pod pod, String version, boolean mayReplace) {
    pod.getMetadata().setResourceVersion(version);
    RestartPolicy policy = RestartPolicy.of(null);
    return RestartPlan.of(
        policy,
        "u",
        new RestartLedger(policy, null, null, NOON),
        List.of(
            new ComponentLook(
                "kube-apiserver",
                1,
                List.of(PodLook.of(pod)),
                Dependency.since(NOON.minusSeconds(60)),
                ComponentLook.Turns.ONE_STARTS)),
        mayReplace,
        NOON);
  }

  private void replace(MemoryApi api, RestartPlan plan) throws InterruptedException {
    EventRecorder events = Recorders.of(api.client(), Clock.fixed(NOON, ZoneOffset.UTC));
    PodReplacer.replace(owner, Optional.of(plan), context(api.client(), Optional.empty()), events);
    Recorders.close(events);
  }

  @SuppressWarnings("unchecked")
  private static Context<ControlPlane> context(
      KubernetesClient client, Optional<Outcomes> outcomes) {
    return (Context<ControlPlane>)
        Proxy.newProxyInstance(
            Context.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (_, method, _) ->
                switch (method.getName()) {
                  case "getClient" -> client;
                  case "managedWorkflowAndDependentResourceContext" -> shared(outcomes);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static Object shared(Optional<Outcomes> outcomes) {
    Class<?> type =
        io.javaoperatorsdk.operator.api.reconciler.dependent.managed
            .ManagedWorkflowAndDependentResourceContext.class;
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (_, method, arguments) -> method.getName().equals("get") ? outcomes : arguments[1]);
  }
}

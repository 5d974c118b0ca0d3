// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.Fixtures;
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
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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

  private static List<?> events(MemoryApi api) {
    return api.objects().entrySet().stream()
        .filter(entry -> entry.getKey().contains("/events/"))
        .map(entry -> entry.getValue().toString())
        .toList();
  }

  private static RestartPlan plan(Pod pod, String version) {
    pod.getMetadata().setResourceVersion(version);
    RestartPolicy policy = RestartPolicy.of(null);
    RestartPlan plan =
        RestartPlan.of(
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
            true,
            NOON);
    assertThat(plan.replaced()).isPresent();
    return plan;
  }

  private void replace(MemoryApi api, RestartPlan plan) throws InterruptedException {
    EventRecorder events = Recorders.of(api.client(), Clock.fixed(NOON, ZoneOffset.UTC));
    PodReplacer.replace(owner, Optional.of(plan), context(api), events);
    Recorders.close(events);
  }

  @SuppressWarnings("unchecked")
  private static Context<ControlPlane> context(MemoryApi api) {
    return (Context<ControlPlane>)
        Proxy.newProxyInstance(
            Context.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (_, method, _) ->
                switch (method.getName()) {
                  case "getClient" -> api.client();
                  case "managedWorkflowAndDependentResourceContext" -> shared();
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static Object shared() {
    Class<?> type =
        io.javaoperatorsdk.operator.api.reconciler.dependent.managed
            .ManagedWorkflowAndDependentResourceContext.class;
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (_, method, arguments) -> method.getName().equals("get") ? Optional.empty() : arguments[1]);
  }
}

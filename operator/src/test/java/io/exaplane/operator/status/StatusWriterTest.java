// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.operator.AnsweringApi;
import io.exaplane.operator.AnsweringApi.Answer;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.outcome.Outcomes;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.config.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.dependent.managed.ManagedWorkflowAndDependentResourceContext;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 31: a status that somebody refuses is told at once, whatever the code of the refusal. */
class StatusWriterTest {
  private static final ControlPlane DEMO = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");
  private static final ControlPlaneStatus STATUS =
      new ControlPlaneStatus(
          null, null, null, null, null, null, null, null, null, null, null, null, List.of());

  /** 422 is what a ValidatingAdmissionPolicy gives by itself, 403 and 400 what webhooks do. */
  @ParameterizedTest
  @CsvSource({
    "422, ValidatingAdmissionPolicy 'team' with binding 'all' denied request: no, ValidatingAdmissionPolicy team",
    "403, admission webhook \"team\" denied the request: no, Webhook team",
    "400, admission webhook \"team\" denied the request: no, Webhook team",
    "413, Request entity too large: limit is 3145728, The API server",
  })
  void aRefusalIsToldAtOnce(int code, String message, String who) throws Exception {
    List<String> written = new CopyOnWriteArrayList<>();
    Outcomes outcomes = new Outcomes();
    try (AnsweringApi api =
        new AnsweringApi(
            asked -> {
              written.add(asked.path() + " " + asked.body());
              return asked.path().endsWith("/status")
                  ? new Answer(code, refusal(code, message))
                  : new Answer(201, asked.body());
            })) {
      EventRecorder events = Recorders.of(api.client(), Clock.systemUTC());
      StatusWriter<ControlPlaneStatus, ControlPlane> writer =
          new StatusWriter<>(ControlPlane::new, Set.of(), events);
      Context<ControlPlane> context = context(api.client(), outcomes);
      assertThat(writer.write(DEMO, STATUS, List.of(), context)).isFalse();
      assertThat(writer.write(DEMO, STATUS, List.of(), context)).isFalse();
      Recorders.close(events);
    }
    assertThat(outcomes.refusals())
        .hasSize(2)
        .allSatisfy(
            refusal -> {
              assertThat(refusal.who()).isEqualTo(who);
              assertThat(refusal.object()).isEqualTo("the status of ControlPlane demo");
            });
    assertThat(written)
        .filteredOn(each -> each.contains("/status "))
        .as("asked once each")
        .hasSize(2);
    assertThat(written)
        .filteredOn(each -> each.contains("/events "))
        .singleElement()
        .asString()
        .contains("WriteRefused", who + " refuses to apply the status of ControlPlane demo: ");
  }

  private static String refusal(int code, String message) {
    return Serialization.asJson(
        new StatusBuilder().withStatus("Failure").withCode(code).withMessage(message).build());
  }

  @SuppressWarnings("unchecked")
  private static Context<ControlPlane> context(KubernetesClient client, Outcomes outcomes) {
    return fake(
        Context.class,
        Map.of(
            "getClient",
            client,
            "getControllerConfiguration",
            fake(ControllerConfiguration.class, Map.of("fieldManager", "controlplane")),
            "managedWorkflowAndDependentResourceContext",
            fake(
                ManagedWorkflowAndDependentResourceContext.class,
                Map.of("get", Optional.of(outcomes)))));
  }

  private static <T> T fake(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> {
              assertThat(answers).containsKey(method.getName());
              return answers.get(method.getName());
            }));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.AnsweringApi;
import io.exaplane.operator.config.OperatorBundle;
import io.exaplane.operator.controlplane.check.StorageCheck;
import io.exaplane.operator.controlplane.network.ManagementNetworks;
import io.exaplane.operator.management.ManagementAddresses;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.pod.NodeCapacity;
import io.exaplane.operator.standby.HeldObjects;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 31: the right to read one kind is lost. Nothing is changed then, and the pass goes on. */
class SpecChecksTest {
  private static final String FORBIDDEN =
      Serialization.asJson(
          new StatusBuilder()
              .withCode(403)
              .withReason("Forbidden")
              .withMessage("User \"o\" cannot read it")
              .build());

  private final Clock clock = Clock.systemUTC();
  private final Fixtures.Config config = new Fixtures.Config("i:1");

  @ParameterizedTest
  @CsvSource({
    // what cannot be read, what is told
    "nothing, ''",
    "nodes, RBAC refuses to",
    "secrets, RBAC refuses to read Secret pull",
    "storageclasses, RBAC refuses to read StorageClass",
    "services, RBAC refuses to read Service kubernetes",
  })
  void whatCannotBeReadHoldsChangesBack(String unread, String told) throws Exception {
    ControlPlane controlPlane =
        Fixtures.controlPlane(
            "{version: 1.36.3, maxNodes: 10, images: {pullSecret: pull}, endpoint: {type: ClusterIP}}");
    try (AnsweringApi api =
        new AnsweringApi(
            request ->
                request.path().contains("/" + unread)
                    ? new AnsweringApi.Answer(403, FORBIDDEN)
                    : new AnsweringApi.Answer(200, answer(request.path())))) {
      Context<ControlPlane> context = context(controlPlane, api.client());
      SpecChecks.Found found =
          checks(api.client(), nodes(unread)).look(controlPlane, false, context);
      assertThat(found.problem()).isEmpty();
      assertThat(found.unread()).isEqualTo(!told.isEmpty());
      assertThat(found.judged()).isEqualTo(told.isEmpty());
      assertThat(Refusal.text(Outcomes.of(context).refusals())).startsWith(told);
      assertThat(found.sized().tuned().isPresent()).isEqualTo(!unread.equals("nodes"));
      assertThat(found.notice()).map(Problem::reason).contains(Reason.NodeAddressesUnproven);
    }
  }

  /** One notice is told at a time, and that of the addresses stays until a person acts. */
  @Test
  void aReservedNameIsToldBeforeTheAddressesOfNodes() throws Exception {
    ControlPlane controlPlane =
        Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10, endpoint: {type: ClusterIP}}");
    controlPlane.getMetadata().setName("demo-store");
    try (AnsweringApi api =
        new AnsweringApi(request -> new AnsweringApi.Answer(200, answer(request.path())))) {
      Context<ControlPlane> context = context(controlPlane, api.client());
      SpecChecks.Found found =
          checks(api.client(), nodes("nothing")).look(controlPlane, false, context);
      assertThat(found.notice()).map(Problem::reason).contains(Reason.NameReserved);
    }
  }

  private SpecChecks checks(KubernetesClient client, Supplier<Collection<NodeCapacity>> nodes) {
    Sizer sizer = new Sizer(nodes, clock);
    return new SpecChecks(
        new Pinning(config, new OperatorBundle(config), sizer, null, clock),
        sizer,
        new StorageCheck(client, clock),
        new ManagementNetworks(client, new ManagementAddresses(client, clock)));
  }

  private static Supplier<Collection<NodeCapacity>> nodes(String unread) {
    return () -> {
      if (unread.equals("nodes")) {
        throw new KubernetesClientException(Serialization.unmarshal(FORBIDDEN, Status.class));
      }
      return List.of(new NodeCapacity(256, 4L << 40));
    };
  }

  private static String answer(String path) {
    return path.endsWith("/secrets/pull")
        ? "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"type\":\"kubernetes.io/dockerconfigjson\",\"metadata\":{\"name\":\"pull\",\"labels\":{\"exaplane.io/pull-secret\":\"true\"}}}"
        : path.endsWith("/storageclasses")
            ? "{\"apiVersion\":\"storage.k8s.io/v1\",\"kind\":\"StorageClassList\",\"metadata\":{},\"items\":[{\"metadata\":{\"name\":\"s\",\"annotations\":{\"storageclass.kubernetes.io/is-default-class\":\"true\"}}}]}"
            : path.endsWith("/services/kubernetes")
                ? "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"kubernetes\"},\"spec\":{\"clusterIPs\":[\"192.0.2.1\"]}}"
                : "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"metadata\":{},\"items\":[]}";
  }

  /** What informers hold, and a client that asks. */
  @SuppressWarnings("unchecked")
  private static Context<ControlPlane> context(ControlPlane of, KubernetesClient client) {
    Context<ControlPlane> held = HeldObjects.context(of, List.of(), "controlplane");
    return (Context<ControlPlane>)
        Proxy.newProxyInstance(
            Context.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (_, method, arguments) -> {
              if (method.getName().equals("getClient")) {
                return client;
              }
              try {
                return method.invoke(held, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}

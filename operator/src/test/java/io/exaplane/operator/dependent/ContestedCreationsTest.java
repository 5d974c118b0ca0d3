// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.outcome.NeedsPersonException;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.standby.HeldObjects;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Lines 31, 37: a tool deletes what the operator makes, and nobody writes for ever. */
class ContestedCreationsTest {
  private final AtomicLong nowNs = new AtomicLong();
  private final ContestedCreations creations = new ContestedCreations(nowNs::get);
  private final HasMetadata owner = owner("owner-1");
  private final Outcomes outcomes =
      Outcomes.of(
          HeldObjects.context(
              Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}"), List.of(), "controlplane"));
  private int requests;

  @Test
  void anObjectThatIsDeletedEachTimeIsMadeOnceAMinute() {
    int told = 0;
    for (int second = 0; second < 600; second += 2) {
      nowNs.set(Duration.ofSeconds(second).toNanos());
      told += makes(owner, 80, "uid-" + second) ? 0 : 1;
    }
    assertThat(requests).isBetween(ContestedWrites.ROUNDS + 8, ContestedWrites.ROUNDS + 10);
    assertThat(told).isEqualTo(300 - requests);
  }

  @Test
  void itIsNamedWithTheNextAction() {
    fight();
    assertThat(outcomes.refusals())
        .singleElement()
        .satisfies(
            refusal ->
                assertThat(refusal.text())
                    .contains("somebody deleted Service s 4 times in a row", "audit log"));
    assertThatThrownBy(() -> make(owner, 80, "another"))
        .isInstanceOf(NeedsPersonException.class)
        .hasMessageContaining("Stop the tool or policy");
  }

  /** An update of what is there, another wish, another owner, and the operator's own deletion. */
  @Test
  void whatIsNoFightIsMadeAtOnce() {
    for (int round = 0; round < 20; round++) {
      assertThat(makes(owner("same"), 80, "the same")).as("is there").isTrue();
      assertThat(makes(owner, round, "a-" + round)).as("another wish").isTrue();
      assertThat(makes(owner("o-" + round), 80, "b-" + round)).as("another owner").isTrue();
      HasMetadata own = owner("own");
      assertThat(makes(own, 80, "c-" + round)).as("deleted by the operator").isTrue();
      creations.forget(service(80), own);
    }
    fight();
    assertThat(makes(owner, 81, "d")).as("the spec is another one").isTrue();
  }

  @Test
  void creationsThatAreFarApartAreNoFight() {
    for (int round = 0; round < 20; round++) {
      nowNs.addAndGet(ContestedWrites.ROW.toNanos());
      assertThat(makes(owner, 80, "uid-" + round)).isTrue();
    }
    assertThat(outcomes.refusals()).isEmpty();
  }

  private void fight() {
    for (int round = 0; round < ContestedWrites.ROUNDS; round++) {
      make(owner, 80, "fight-" + round);
    }
  }

  private boolean makes(HasMetadata of, int port, String uid) {
    try {
      make(of, port, uid);
      return true;
    } catch (NeedsPersonException _) {
      return false;
    }
  }

  private void make(HasMetadata of, int port, String uid) {
    creations.make(
        service(port),
        of,
        outcomes,
        wanted -> {
          requests++;
          return new ServiceBuilder(wanted).editMetadata().withUid(uid).endMetadata().build();
        });
  }

  private static HasMetadata owner(String uid) {
    HasMetadata owner = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");
    owner.getMetadata().setUid(uid);
    return owner;
  }

  private static Service service(int port) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withName("s")
        .withNamespace("ns")
        .endMetadata()
        .withNewSpec()
        .addNewPort()
        .withPort(port)
        .endPort()
        .endSpec()
        .build();
  }

  /** Whoever owns one object asks before each creation. */
  @Test
  void anOwnedObjectIsPaced() throws Exception {
    ControlPlane of = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");
    OwnedObject<Service, ControlPlane> dependent =
        new OwnedObject<>(Service.class) {
          @Override
          protected Service make(Service wanted, ControlPlane primary, Context<ControlPlane> any) {
            Service made = new ServiceBuilder(wanted).build();
            made.getMetadata().setUid("uid-" + requests++);
            return made;
          }
        };
    try (MemoryApi api = new MemoryApi()) {
      Context<ControlPlane> context =
          withClient(HeldObjects.context(of, List.of(), "controlplane"), api.client());
      for (int round = 0; round < ContestedWrites.ROUNDS; round++) {
        dependent.create(service(80), of, context);
      }
      assertThatThrownBy(() -> dependent.create(service(80), of, context))
          .isInstanceOf(NeedsPersonException.class);
      assertThat(requests).isEqualTo(ContestedWrites.ROUNDS);
    }
  }

  @SuppressWarnings("unchecked")
  private static Context<ControlPlane> withClient(
      Context<ControlPlane> context, KubernetesClient client) {
    return (Context<ControlPlane>)
        Proxy.newProxyInstance(
            ContestedCreationsTest.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (_, method, arguments) ->
                method.getName().equals("getClient") ? client : method.invoke(context, arguments));
  }

  /** The SDK asks for the deletion of an object that was never made, too. */
  @Test
  void anObjectThatIsNotThereIsDeletedWithoutAWord() {
    OwnedObject<ConfigMap, ConfigMap> dependent = new OwnedObject<>(ConfigMap.class) {};
    assertThatCode(() -> dependent.handleDelete(new ConfigMap(), null, null))
        .doesNotThrowAnyException();
  }
}

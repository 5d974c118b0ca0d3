// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.standby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NoClientTest {
  private static final Map<Class<?>, Object> NOTHING = Map.of(boolean.class, false, int.class, 0);

  private final KubernetesSerialization serialization = new KubernetesSerialization();
  private final KubernetesClient client = new NoClient(serialization).asClient();

  @Test
  void everyRequestIsRefused() {
    for (Method method : KubernetesClient.class.getMethods()) {
      if (!Modifier.isStatic(method.getModifiers())
          && !method.getName().equals("getKubernetesSerialization")) {
        Object[] arguments = Arrays.stream(method.getParameterTypes()).map(NOTHING::get).toArray();
        assertThatThrownBy(() -> method.invoke(client, arguments))
            .as(method.toString())
            .isInstanceOf(InvocationTargetException.class)
            .cause()
            .isInstanceOf(KubernetesClientException.class);
      }
    }
  }

  @Test
  void aRefusalPassesSoThatNoLogTellsOfIt() {
    assertThat(Refusals.of(new KubernetesClientException("a standby asks nobody")).passes())
        .isTrue();
  }

  @Test
  void itReadsAndWritesJson() {
    assertThat(client.getKubernetesSerialization()).isSameAs(serialization);
    assertThat(client).isEqualTo(client).hasToString("no client").hasSameHashCodeAs(client);
  }
}

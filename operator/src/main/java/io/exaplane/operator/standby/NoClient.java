// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.standby;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * A client without a server: it reads and writes JSON, and refuses everything else. Whoever has it
 * cannot write, whatever the code does. Thread-safe.
 */
final class NoClient {
  private final KubernetesClient client;

  NoClient(KubernetesSerialization serialization) {
    client =
        (KubernetesClient)
            Proxy.newProxyInstance(
                KubernetesClient.class.getClassLoader(),
                new Class<?>[] {KubernetesClient.class},
                (self, method, arguments) -> answer(self, method, arguments, serialization));
  }

  /** Where code asks for a client. */
  KubernetesClient asClient() {
    return client;
  }

  private static Object answer(
      Object self, Method method, Object[] arguments, KubernetesSerialization serialization) {
    return switch (method.getName()) {
      case "getKubernetesSerialization" -> serialization;
      case "hashCode" -> System.identityHashCode(self);
      case "equals" -> self == arguments[0];
      case "toString" -> "no client";
      // As a connection that is refused: a pass knows what to do, and says little of it.
      default ->
          throw new KubernetesClientException(
              "a standby asks no API server and writes nothing: " + method.getName());
    };
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.standby;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.javaoperatorsdk.operator.api.config.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** Contexts of rehearsals in which informers hold what a test has. */
public final class HeldObjects {
  private static final NoClient NO_CLIENT = new NoClient(new KubernetesSerialization());

  private HeldObjects() {}

  /** The context of one rehearsal. */
  public static <P extends HasMetadata> Context<P> context(
      P primary, Collection<? extends HasMetadata> objects, String manager) {
    return new RehearsalContext<>(
        primary, held(List.copyOf(objects)), configuration(manager), NO_CLIENT);
  }

  private static <P extends HasMetadata> RehearsalContext.Held<P> held(List<HasMetadata> objects) {
    return new RehearsalContext.Held<>() {
      @Override
      public <R> Stream<R> of(Class<R> type, P primary) {
        return objects.stream().filter(type::isInstance).map(type::cast);
      }
    };
  }

  @SuppressWarnings("unchecked")
  private static <P extends HasMetadata> ControllerConfiguration<P> configuration(String manager) {
    return (ControllerConfiguration<P>)
        Proxy.newProxyInstance(
            HeldObjects.class.getClassLoader(),
            new Class<?>[] {ControllerConfiguration.class},
            (_, method, _) -> {
              if (method.getName().equals("fieldManager")) {
                return manager;
              }
              throw new UnsupportedOperationException(method.getName());
            });
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.cfg.HandlerInstantiator;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.jsontype.TypeIdResolver;
import com.fasterxml.jackson.databind.jsontype.TypeResolverBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.kubernetes.internal.KubernetesDeserializer;

/**
 * Has the library read kubeconfigs without the classes of all kinds. An extension in a kubeconfig
 * may be an object of any kind, so the library would load some thousand classes for each command.
 * Thread-safe.
 */
final class WithoutKinds extends HandlerInstantiator {
  private WithoutKinds() {}

  /** Before the first kubeconfig is read. */
  @SuppressWarnings("deprecation")
  static void set() {
    Serialization.jsonMapper().setHandlerInstantiator(new WithoutKinds());
  }

  @Override
  public JsonDeserializer<?> deserializerInstance(
      DeserializationConfig config, Annotated annotated, Class<?> type) {
    return type == KubernetesDeserializer.class ? new KubernetesDeserializer(false) : null;
  }

  @Override
  public KeyDeserializer keyDeserializerInstance(
      DeserializationConfig config, Annotated annotated, Class<?> type) {
    return null;
  }

  @Override
  public JsonSerializer<?> serializerInstance(
      SerializationConfig config, Annotated annotated, Class<?> type) {
    return null;
  }

  @Override
  public TypeResolverBuilder<?> typeResolverBuilderInstance(
      MapperConfig<?> config, Annotated annotated, Class<?> type) {
    return null;
  }

  @Override
  public TypeIdResolver typeIdResolverInstance(
      MapperConfig<?> config, Annotated annotated, Class<?> type) {
    return null;
  }
}

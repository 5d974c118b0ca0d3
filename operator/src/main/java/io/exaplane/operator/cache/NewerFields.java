// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.cache;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.kubernetes.client.KubernetesClientObjectMapperCustomizer;
import jakarta.inject.Singleton;

/**
 * Passes over fields that only a newer operator knows. The definitions are newer than the operator
 * after a rollback, and while an upgrade replaces one replica after the other. One object with one
 * such field would otherwise end the list of all objects of its Kind. Thread-safe.
 */
@Singleton
public class NewerFields implements KubernetesClientObjectMapperCustomizer {
  @Override
  public void customize(ObjectMapper mapper) {
    mapper.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  }
}

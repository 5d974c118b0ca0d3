// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects of each Kind whose fields a newer operator wrote. */
class NewerFieldsTest {
  private static final String NEWER =
      """
      {"apiVersion":"exaplane.io/v1alpha1","kind":"%s","metadata":{"name":"a","generation":7},
       "spec":{"fieldOfANewerVersion":{"a":[1]}},
       "status":{"observedGeneration":6,"fieldOfANewerVersion":{"b":"c"},
        "conditions":[{"type":"T","status":"True","reason":"R","message":"m","newer":1}]}}
      """;

  @ParameterizedTest
  @ValueSource(
      classes = {
        ControlPlane.class,
        StoreShard.class,
        SchedulerPool.class,
        NodePool.class,
        ControlPlaneTask.class
      })
  void anOlderOperatorReadsThem(Class<? extends HasMetadata> kind) {
    String text = NEWER.formatted(kind.getSimpleName());
    ObjectMapper mapper = new ObjectMapper();
    new NewerFields().customize(mapper);

    HasMetadata read = new KubernetesSerialization(mapper, true).unmarshal(text, kind);

    assertThat(read.getMetadata().getGeneration()).isEqualTo(7);
    assertThat(read.toString()).doesNotContain("fieldOfANewerVersion");
    KubernetesSerialization strict = new KubernetesSerialization(new ObjectMapper(), true);
    assertThatThrownBy(() -> strict.unmarshal(text, kind))
        .hasStackTraceContaining("fieldOfANewerVersion");
  }
}

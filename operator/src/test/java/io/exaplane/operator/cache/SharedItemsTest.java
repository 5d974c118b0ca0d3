// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Informers keep one copy of an object between them, and only of the same version. */
class SharedItemsTest {
  private final SharedItems<Secret> one = new SharedItems<>();
  private final SharedItems<Secret> other = new SharedItems<>();

  private static Secret secret(String version) {
    return new SecretBuilder()
        .withNewMetadata()
        .withName("s")
        .withNamespace("ns")
        .withUid("u")
        .withResourceVersion(version)
        .withManagedFields(new ManagedFieldsEntry())
        .endMetadata()
        .build();
  }

  @Test
  void theSameVersionIsKeptOnce() {
    one.put("ns/s", secret("1"));
    other.put("ns/s", secret("1"));
    assertThat(one.get("ns/s")).isSameAs(other.get("ns/s"));
    assertThat(one.get("ns/s").getMetadata().getManagedFields()).isEmpty();
    assertThat(one.getKey(secret("1"))).isEqualTo("ns/s");
  }

  @Test
  void anotherVersionIsAnotherObject() {
    one.put("ns/s", secret("1"));
    other.put("ns/s", secret("2"));
    assertThat(one.get("ns/s").getMetadata().getResourceVersion()).isEqualTo("1");
    assertThat(other.get("ns/s").getMetadata().getResourceVersion()).isEqualTo("2");
    one.remove("ns/s");
    assertThat(one.size()).isZero();
    assertThat(other.get("ns/s")).isNotNull();
  }

  @Test
  void theLargeDataOfJoinSecretsIsNotKept() {
    Secret large = secret("1");
    large.getMetadata().setLabels(Map.of("exaplane.io/node-pool", "workers"));
    large.setData(Map.of("join.sh", "eA=="));
    one.put("ns/s", large);
    assertThat(one.get("ns/s").getData()).isNull();
    Secret another = secret("1");
    another.getMetadata().setUid("v");
    another.setData(Map.of("tls.key", "eA=="));
    one.put("ns/v", another);
    assertThat(one.get("ns/v").getData()).containsKey("tls.key");
  }
}

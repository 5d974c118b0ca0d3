// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.tuning.model.InvalidInputException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/r",
        "/registry",
        "/registry/",
        "/registry/p",
        "/registry/pods",
        "/registry//",
        "/registry/example.com",
        "/registry/example.com/",
        "/registry/example.com/widgets",
        "/registry/services",
        "/registry/services/",
        "/registry/services/specs",
        "/registry/services//",
        "/other",
        "compact"
      })
  void aPrefixOfMoreThanOneKindIsRefused(String prefix) {
    assertThatThrownBy(() -> new Target(prefix, true, KeyGroup.ROOT))
        .isInstanceOf(InvalidInputException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/registry/pods/",
        "/registry/configmaps/default/fill-",
        "/registry/example.com/widgets/",
        "/registry/services/specs/",
        "/other/things/"
      })
  void aPrefixOfOneKindIsTaken(String prefix) {
    assertThat(new Target(prefix, true, KeyGroup.ROOT).range().isOne()).isFalse();
  }

  @Test
  void anotherRootIsGuardedAsWell() {
    assertThatThrownBy(() -> new Target("/kubernetes.io/", true, "/kubernetes.io/"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("is the whole store");
    assertThat(new Target("/kubernetes.io/pods/", true, "/kubernetes.io/").isPrefix()).isTrue();
  }

  @Test
  void oneKeyIsOneKey() {
    KeyRange range = new Target("/registry/pods/a/b", false, KeyGroup.ROOT).range();
    assertThat(range.isOne()).isTrue();
    assertThat(range.upTo(range.from()).isOne()).isTrue();
    assertThatThrownBy(() -> new Target("", false, KeyGroup.ROOT))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void aRangeEndsBehindItsLastKey() {
    assertThat(KeyRange.below("a/").end()).isEqualTo("a0".getBytes(StandardCharsets.UTF_8));
    assertThat(KeyRange.all()).satisfies(all -> assertThat(all.from()).isEqualTo(new byte[1]));
    KeyRange portion = KeyRange.below("a/").upTo("a/b".getBytes(StandardCharsets.UTF_8));
    assertThat(portion.end()).isEqualTo("a/b\0".getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource({
    "/registry/pods/default/a, pods, default, /registry/pods/default/",
    "/registry/minions/node-1, minions, '', /registry/minions/",
    "/registry/services/specs/default/a, services, default, /registry/services/specs/default/",
    "/registry/services/endpoints/x/a, endpoints, x, /registry/services/endpoints/x/",
    "/registry/example.com/widgets/x/a, widgets.example.com, x, /registry/example.com/widgets/x/",
    "/registry/example.com/widgets/a, widgets.example.com, '', /registry/example.com/widgets/",
    "compact_rev_key, other, '', ''",
    "/registry/health, other, '', ''"
  })
  void aKeyTellsItsKindAndNamespace(String key, String kind, String namespace, String prefix) {
    assertThat(KeyGroup.of(key.getBytes(StandardCharsets.UTF_8), KeyGroup.ROOT))
        .isEqualTo(new KeyGroup(kind, namespace, prefix));
  }

  @ParameterizedTest
  @CsvSource({
    "/registry/pods/default/a, true",
    "/registry/minions/node-1, true",
    "/registry/leases/kube-node-lease/node-1, true",
    "/registry/apiextensions.k8s.io/customresourcedefinitions/a.b, true",
    "/registry/configmaps/kube-system/a, true",
    "compact_rev_key, true",
    "/registry/configmaps/default/a, false",
    "/registry/secrets/default/a, false",
    "/registry/events/default/a, false",
    "/registry/example.com/widgets/x/a, false"
  })
  void whatAClusterNeedsIsKnown(String key, boolean isSystem) {
    KeyGroup group = KeyGroup.of(key.getBytes(StandardCharsets.UTF_8), KeyGroup.ROOT);
    assertThat(SystemKinds.consequence(group).isPresent()).isEqualTo(isSystem);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeenNamesTest {
  @Test
  void knowsWhatItSawAndNothingElse() {
    SeenNames names = new SeenNames();
    for (int i = 0; i < 200_000; i++) {
      names.add("namespace-" + i % 7, "pod-" + i);
    }
    for (int i = 0; i < 200_000; i++) {
      names.add("namespace-" + i % 7, "pod-" + i);
    }
    assertThat(names.size()).isEqualTo(200_000);
    for (int i = 0; i < 200_000; i++) {
      assertThat(names.contains("namespace-" + i % 7, "pod-" + i)).isTrue();
      assertThat(names.contains("namespace-" + (i + 1) % 7, "pod-" + i)).isFalse();
      assertThat(names.contains("namespace-" + i % 7, "pod-" + i + "x")).isFalse();
    }
    assertThat(names.contains("", "")).isFalse();
  }

  @Test
  void namespaceAndNameAreNotOneWord() {
    SeenNames names = new SeenNames();
    names.add("a", "bc");
    assertThat(names.contains("ab", "c")).isFalse();
    assertThat(names.contains("", "a/bc")).isFalse();
  }
}

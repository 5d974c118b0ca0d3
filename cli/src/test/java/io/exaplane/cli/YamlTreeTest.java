// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.error.YAMLException;

/** How many values aliases may stand for. */
class YamlTreeTest {
  /** Stands for a million values. */
  private static final String MILLION =
      "[&a [%s], &b [%s], ".formatted(times("1", 1000), times("*a", 1000));

  private static String times(String value, int times) {
    return (value + ",").repeat(times);
  }

  @Test
  void eachDocumentMayHaveAsMany() {
    String document = "---\n" + MILLION + times("*b", 8) + "]\n";
    YamlTree yaml = new YamlTree(new StringReader(document + document), true);
    for (int i = 0; i < 2; i++) {
      assertThat(yaml.nextDocument()).isTrue();
      yaml.value();
    }
    assertThat(yaml.nextDocument()).isFalse();
  }

  @Test
  void eachElementMayHaveAsMany() {
    String part = "[" + times("*b", 8) + "],";
    YamlTree yaml = new YamlTree(new StringReader(MILLION + part + part + "]"), true);
    assertThat(yaml.nextDocument()).isTrue();
    assertThat(yaml.enterList()).isTrue();
    int elements = 0;
    while (yaml.nextElement()) {
      yaml.value();
      elements++;
    }
    assertThat(elements).isEqualTo(4);
  }

  @Test
  void moreInOneDocumentAreRefused() {
    YamlTree yaml = new YamlTree(new StringReader(MILLION + times("*b", 10) + "]"), true);
    assertThat(yaml.nextDocument()).isTrue();
    assertThatThrownBy(yaml::value)
        .isInstanceOf(YAMLException.class)
        .hasMessageContaining("aliases stand for more than 10000000 values");
  }
}

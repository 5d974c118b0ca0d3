// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.exaplane.cli.etcd.KeyTotals.Group;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class KeyTotalsTest {
  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void keepsTheLargestGroupsOfMillionsOfKeys() {
    KeyTotals totals = new KeyTotals(KeyGroup.ROOT, 3, 0, _ -> 0);
    for (int namespace = 1000; namespace < 2000; namespace++) {
      int objects = namespace == 1500 ? 500 : namespace % 7 + 1;
      for (int i = 0; i < objects; i++) {
        totals.add(key("/registry/configmaps/n" + namespace + "/c" + i));
      }
    }
    totals.add(key("/registry/secrets/default/s"));
    assertThat(totals.namespaces()).hasSize(3);
    assertThat(totals.namespaces().getFirst())
        .isEqualTo(
            new Group(
                new KeyGroup("configmaps", "n1500", "/registry/configmaps/n1500/"),
                500,
                Group.UNKNOWN));
    assertThat(totals.groups()).isEqualTo(1001);
    assertThat(totals.kinds())
        .extracting(each -> each.group().prefix())
        .containsExactly("/registry/configmaps/", "/registry/secrets/");
    assertThat(totals.kinds().getFirst().keys()).isEqualTo(totals.keys() - 1);
  }

  @Test
  void samplesTellWhoIsLarge() {
    KeyTotals totals =
        new KeyTotals(KeyGroup.ROOT, 5, 3, key -> Target.text(key).contains("big") ? 900_000 : 600);
    for (int i = 0; i < 100; i++) {
      totals.add(key("/registry/configmaps/big/c" + i));
    }
    for (int i = 0; i < 10_000; i++) {
      totals.add(key("/registry/leases/small/l" + i));
    }
    assertThat(totals.kinds())
        .extracting(each -> each.group().kind())
        .containsExactly("configmaps", "leases");
    assertThat(totals.kinds().getFirst().bytes()).isCloseTo(90_000_000.0, within(1.0));
    assertThat(totals.bytes()).isCloseTo(96_000_000.0, within(1.0));
  }
}

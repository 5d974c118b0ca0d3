// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreDurability;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which keys another store keeps less well. */
class PrefixDurabilityTest {
  private static PrefixDurability of(String rules) {
    List<PrefixDurability.Rule> read =
        rules == null
            ? List.of()
            : Arrays.stream(rules.split(" "))
                .map(rule -> rule.split("="))
                .map(rule -> new PrefixDurability.Rule(rule[0], StoreDurability.valueOf(rule[1])))
                .toList();
    return new PrefixDurability(read);
  }

  /**
   * Of keys below /a/: rules of both stores, and the prefix that the second one keeps less well.
   */
  @ParameterizedTest
  @CsvSource({
    ",,",
    "=Buffered,=Fsync,",
    "=Fsync,=Buffered,/a/",
    "=Memory /a/=Fsync,=Memory /a/b/=Fsync,/a/",
    "/a/b/=Memory,/a/b/=Memory,",
    ",/a/b/=Memory,/a/b/",
    "/a/b/=Memory,/a/=Memory /a/b/=Memory,/a/",
    "/a/=Memory /a/b/=Fsync,=Memory,/a/b/",
    ",/b/=Memory,",
    ",/a/b/=Memory /a/b/c/=Memory,/a/b/"
  })
  void theFirstKeysThatWouldBeKeptLessWellAreNamed(String here, String there, String prefix) {
    assertThat(of(here).lossIn(of(there), "/a/").map(PrefixDurability.Loss::prefix).orElse(null))
        .isEqualTo(prefix);
  }
}

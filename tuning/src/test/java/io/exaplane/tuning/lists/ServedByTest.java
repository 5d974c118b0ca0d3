// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.tuning.version.MinorVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** reference/tuning.md §5.1, column by column. */
class ServedByTest {
  @ParameterizedTest
  @CsvSource({
    "resourceVersion=0,                                    CACHE, CACHE, CACHE, CACHE",
    "resourceVersion=0&limit=500,                          CACHE, CACHE, CACHE, CACHE",
    "'',                                                   STORE, CACHE, CACHE, CACHE",
    "limit=500,                                            STORE, CACHE, CACHE, CACHE",
    "limit=500&continue=abc,                               STORE, STORE, STORE, SNAPSHOT",
    "resourceVersion=7,                                    CACHE, CACHE, CACHE, CACHE",
    "resourceVersion=7&resourceVersionMatch=NotOlderThan,  CACHE, CACHE, CACHE, CACHE",
    "resourceVersion=7&resourceVersionMatch=NotOlderThan&limit=5, STORE, CACHE, CACHE, CACHE",
    "resourceVersion=7&resourceVersionMatch=Exact,         STORE, STORE, STORE, SNAPSHOT",
    "resourceVersion=7&limit=5,                            STORE, STORE, STORE, SNAPSHOT",
    "resourceVersionMatch=Unknown,                         STORE, STORE, STORE, STORE",
  })
  void whoAnswers(String query, ServedBy v30, ServedBy v31, ServedBy v33, ServedBy v34) {
    ListQuery asked = ListQuery.of("/api/v1/pods?" + query);
    assertThat(ServedBy.of(MinorVersion.of(30), asked, true)).isEqualTo(v30);
    assertThat(ServedBy.of(MinorVersion.of(31), asked, true)).isEqualTo(v31);
    assertThat(ServedBy.of(MinorVersion.of(33), asked, true)).isEqualTo(v33);
    assertThat(ServedBy.of(MinorVersion.of(34), asked, true)).isEqualTo(v34);
    assertThat(ServedBy.of(MinorVersion.of(36), asked, false)).isEqualTo(ServedBy.STORE);
  }
}

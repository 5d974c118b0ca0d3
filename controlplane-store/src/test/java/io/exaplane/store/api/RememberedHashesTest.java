// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RememberedHashesTest {
  private final RememberedHashes hashes = new RememberedHashes();

  private static RememberedHashes.Hash hash(long revision, long compacted) {
    return new RememberedHashes.Hash(revision, compacted, (int) revision);
  }

  @Test
  void theHashOfTheRevisionAtWhichWasCompactedIsRemembered() {
    hashes.asked(hash(10, 5));
    hashes.asked(hash(20, 5));
    assertThat(hashes.of(20)).as("it can be made").isNull();
    hashes.compacted(5, 20);
    assertThat(hashes.of(20)).isEqualTo(hash(20, 5));
    assertThat(hashes.of(10)).isNull();
  }

  @Test
  void whatWasAskedForBeforeAnotherCompactionIsNoMoreTheHashThatEtcdWouldHaveMade() {
    hashes.asked(hash(20, 5));
    hashes.compacted(5, 10);
    hashes.asked(hash(30, 5)); // made before, came after
    hashes.compacted(10, 20);
    hashes.compacted(20, 30);
    assertThat(hashes.of(20)).isNull();
    assertThat(hashes.of(30)).isNull();
  }

  @Test
  void tenCompactionsAreRemembered() {
    hashes.asked(hash(1, -1));
    hashes.compacted(-1, 1);
    for (int revision = 2; revision <= RememberedHashes.MOST; revision++) {
      hashes.compacted(revision - 1, revision);
    }
    assertThat(hashes.of(1)).isNotNull();
    hashes.compacted(RememberedHashes.MOST, RememberedHashes.MOST + 1);
    assertThat(hashes.of(1)).isNull();
  }

  @Test
  void asManyAreKeptUntilACompaction() {
    for (int revision = 1; revision <= 1000; revision++) {
      hashes.asked(hash(revision, -1));
    }
    hashes.compacted(-1, 1000);
    assertThat(hashes.of(1000)).isNotNull();
  }
}

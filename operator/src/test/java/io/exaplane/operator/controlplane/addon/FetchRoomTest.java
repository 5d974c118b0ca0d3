// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What fetched files may take of the operator's memory. */
class FetchRoomTest {
  @Test
  void aControlPlaneAndAllOfThemHaveABound() {
    FetchRoom all = FetchRoom.of(25);
    FetchRoom one = all.part(20);
    FetchRoom other = all.part(20);
    FetchRoom.Part first = one.take(15, 0).orElseThrow();
    assertThat(one.take(6, 0)).as("more than one may have").isEmpty();
    assertThat(other.take(11, 0)).as("more than all may have").isEmpty();
    assertThat(all.used()).as("nothing of what was refused").isEqualTo(15);
    assertThat(other.take(10, 0)).isPresent();
    first.close();
    first.close();
    assertThat(all.used()).isEqualTo(10);
    assertThat(one.used()).isZero();
  }

  @Test
  void whatIsReplacedDoesNotCount() {
    FetchRoom room = FetchRoom.of(20).part(20);
    FetchRoom.Part old = room.take(15, 0).orElseThrow();
    assertThat(room.take(18, 0)).isEmpty();
    assertThat(room.take(18, old.bytes())).isPresent();
    old.close();
    assertThat(room.used()).isEqualTo(18);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private final Ledger ledger = new Ledger();

  @Test
  void anAcknowledgedObjectExistsAsItWasWritten() {
    write("a", "1");
    assertThat(ledger.compare(Map.of("a", "1"))).isEmpty();
    assertThat(ledger.compare(Map.of("a", "2"))).hasSize(1);
    assertThat(ledger.compare(Map.of())).containsExactly("a is absent, and must be one of ['1']");
  }

  @Test
  void aDeletedOneStaysDeleted() {
    write("a", "1");
    delete("a");
    assertThat(ledger.compare(Map.of())).isEmpty();
    assertThat(ledger.compare(Map.of("a", "1"))).hasSize(1);
    assertThat(ledger.known()).isEmpty();
  }

  @Test
  void afterARequestWithoutAnAnswerEitherStateIsRight() {
    write("a", "1");
    ledger.attempted("a", Optional.of("2"));
    assertThat(ledger.compare(Map.of("a", "1"))).isEmpty();
    assertThat(ledger.compare(Map.of("a", "2"))).isEmpty();
    assertThat(ledger.compare(Map.of("a", "3"))).hasSize(1);
    assertThat(ledger.compare(Map.of())).hasSize(1);
    assertThat(ledger.known()).as("nobody may write it: the request may still come").isEmpty();
  }

  @Test
  void aDeletionOrCreationWithoutAnAnswer() {
    write("a", "1");
    ledger.attempted("a", Optional.empty());
    ledger.attempted("b", Optional.of("1"));
    assertThat(ledger.compare(Map.of())).isEmpty();
    assertThat(ledger.compare(Map.of("a", "1", "b", "1"))).isEmpty();
  }

  @Test
  void whatNobodyWroteIsFound() {
    assertThat(ledger.compare(Map.of("x", "1"))).containsExactly("x is there, and nobody wrote it");
  }

  private void write(String key, String value) {
    ledger.attempted(key, Optional.of(value));
    ledger.acknowledged(key, Optional.of(value));
  }

  private void delete(String key) {
    ledger.attempted(key, Optional.empty());
    ledger.acknowledged(key, Optional.empty());
  }
}

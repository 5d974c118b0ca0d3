// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void cellsHaveNoCommandsForATerminal() {
    Table table = new Table("CLIENT", "LISTS");
    table.row("kubectl\u001b[2J\u009b31m\u202e\r\nx", "7");
    table.row("müller 節", "8");
    StringWriter out = new StringWriter();
    table.print(new PrintWriter(out));
    assertThat(out.toString().lines())
        .containsExactly(
            "  CLIENT               LISTS", "  kubectl?[2J?31m???x  7", "  müller 節             8");
  }
}

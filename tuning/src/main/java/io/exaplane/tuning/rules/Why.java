// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.rules.Item.Confidence;
import java.util.LinkedHashMap;
import java.util.Map;

/** What stands behind a value: every rule says all of it. */
record Why(
    String reason, String source, Confidence confidence, String risk, Map<String, String> inputs) {
  /** The first of the four; the rest follows in a row. */
  static Why because(String reason) {
    return new Why(reason, "", Confidence.L, "", Map.of());
  }

  Why source(Confidence confidence, String source) {
    return new Why(reason, source, confidence, risk, inputs);
  }

  Why risk(String risk) {
    return new Why(reason, source, confidence, risk, inputs);
  }

  Why with(String name, double value) {
    return with(name, Numbers.text(value));
  }

  Why with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(inputs);
    more.put(name, value);
    return new Why(reason, source, confidence, risk, more);
  }

  /** Nothing may be advised without its grounds. */
  void mustBeWhole(String name) {
    if (reason.isEmpty() || source.isEmpty() || risk.isEmpty() || inputs.isEmpty()) {
      throw new IllegalStateException(name + ": reason, source, risk and inputs must be given");
    }
  }
}

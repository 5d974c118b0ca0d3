// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import io.exaplane.tuning.model.Estimate;

/** One piece of knowledge: what a cluster of some shape should have set. Pure. */
interface Rule {
  /** As scripts and {@code --explain} show it. */
  String name();

  void apply(Estimate estimate, Advice advice);
}

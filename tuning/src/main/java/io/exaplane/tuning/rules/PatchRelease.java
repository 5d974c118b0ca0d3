// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.rules.Item.Confidence;
import io.exaplane.tuning.version.PatchVersion;
import io.exaplane.tuning.version.PatchedBugs;

/** What a later patch of the same minor version fixed; said where the patch was said. */
final class PatchRelease implements Rule {
  @Override
  public String name() {
    return "patch-release";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    PatchVersion version = estimate.shape().patchVersion();
    for (PatchedBugs.Bug bug : PatchedBugs.of(version)) {
      String fixed = bug.fixedIn(version.minor());
      advice.warn(
          "Fixed" + bug.name(),
          "%s of %s has a bug that %s fixed: %s"
              .formatted(bug.component(), version, fixed, bug.text()),
          "install " + fixed + " or later, or ask the vendor whether its build has the fix",
          Why.because(bug.text())
              .source(Confidence.H, bug.source())
              .risk("none")
              .with("version", version.toString())
              .with("fixed in", fixed));
    }
  }
}

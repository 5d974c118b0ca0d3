// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.core.SpaceLimits;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How much a store may hold, as flags. Set once, by picocli. */
final class QuotaFlags {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--quota-backend-bytes",
      defaultValue = "0",
      description =
          "Largest size of all stored versions. At this size, the store refuses writes that add data"
              + " until deletions make room; updates of the same size continue. The memory of the machine"
              + " or its cgroup sets the maximum, which is the default. Less than 0 is the default, too: in"
              + " etcd it means no quota.")
  private long backendBytes;

  @Option(
      names = "--quota-load-bytes",
      defaultValue = "${env:EXAPLANE_QUOTA_LOAD_BYTES:-0}",
      description =
          "Largest memory of one kube-apiserver that has loaded the newest versions, as the store"
              + " estimates it from their bytes and the structure of JSON. Events do not count. At this"
              + " size, the store refuses writes that add data until deletions make room (default:"
              + " EXAPLANE_QUOTA_LOAD_BYTES, or 0 for no limit).")
  private long loadBytes;

  /** Refuses values that mean nothing. */
  void check() {
    if (loadBytes < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--quota-load-bytes: %d must be 0 or more; correct it and start again"
              .formatted(loadBytes));
    }
  }

  /** The limits, within the memory that there is. */
  SpaceLimits limits(int windows, int maxRequestBytes) {
    return Space.limits(Math.max(0, backendBytes), windows, maxRequestBytes).withLoad(loadBytes);
  }
}

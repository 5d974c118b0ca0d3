// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.SelectorCompiler;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.queue.Backoff;
import java.time.Duration;
import java.util.List;

/**
 * How a root decides.
 *
 * @param version of the API server
 * @param profiles one for each scheduler's name that it answers to
 * @param patience after which a pod that nothing helped is tried all the same
 * @param seed by which ties are broken
 * @param compiler of the expressions by which pods claim devices
 */
public record RootConfig(
    Version version,
    List<Profile> profiles,
    Backoff backoff,
    Duration patience,
    long seed,
    SelectorCompiler compiler) {
  /** kube-scheduler's, unconfigured. */
  public static RootConfig defaults(Version version, SelectorCompiler compiler) {
    return new RootConfig(
        version,
        List.of(Profile.defaults(version)),
        Backoff.DEFAULT,
        Duration.ofMinutes(5),
        0,
        compiler);
  }
}

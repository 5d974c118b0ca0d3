// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import io.exaplane.scheduler.engine.model.Version;
import java.util.Arrays;
import org.eclipse.microprofile.config.ConfigProvider;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says. */
final class AppVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String own = ConfigProvider.getConfig().getValue("quarkus.application.version", String.class);
    return new String[] {
      "exaplane-scheduler " + own, "kube-scheduler's rules of " + Arrays.toString(Version.values())
    };
  }
}

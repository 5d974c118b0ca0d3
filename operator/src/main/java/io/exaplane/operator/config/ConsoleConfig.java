// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the console, as environment variables EXAPLANE_CONSOLE_…. */
@ConfigMapping(prefix = "exaplane.console")
public interface ConsoleConfig {
  /** Whether this operator serves the console. It opens a port, so nobody has it unasked. */
  @WithDefault("false")
  boolean enabled();

  /** TCP port, always with TLS. */
  @WithDefault("8443")
  int port();
}

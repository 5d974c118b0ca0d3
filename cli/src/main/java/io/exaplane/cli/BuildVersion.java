// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.scheduler.engine.model.Version;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Properties;
import java.util.stream.Collectors;
import picocli.CommandLine.IVersionProvider;

/** What this is a build of, as Maven wrote it into the jar. */
final class BuildVersion implements IVersionProvider {
  private static final String DESCRIPTOR =
      "/META-INF/maven/io.exaplane/exaplane-cli/pom.properties";

  @Override
  public String[] getVersion() throws IOException {
    String versions =
        Arrays.stream(Version.values()).map(Version::toString).collect(Collectors.joining(", "));
    return new String[] {"exactl " + number(), "simulates kube-scheduler " + versions};
  }

  /** The version alone, as 0.1.0. */
  static String number() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = BuildVersion.class.getResourceAsStream(DESCRIPTOR)) {
      if (in != null) {
        properties.load(in);
      }
    }
    return properties.getProperty("version", "without a jar");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.InvalidObjectException;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.SelectorCompiler;
import io.exaplane.scheduler.engine.plugin.ProfileReader;
import io.exaplane.scheduler.engine.queue.Backoff;
import io.exaplane.scheduler.root.RootConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** A KubeSchedulerConfiguration, as far as it decides anything. */
final class SchedulerConfig {
  private static final Logger LOG = Logger.getLogger(SchedulerConfig.class);

  private SchedulerConfig() {}

  /**
   * Reads it.
   *
   * @param text in YAML or JSON, or empty for kube-scheduler's defaults
   * @param name of where it is from
   * @throws InvalidObjectException if kube-scheduler would not take it
   */
  static RootConfig read(String text, String name, Version version, SelectorCompiler compiler) {
    RootConfig defaults = RootConfig.defaults(version, compiler);
    if (text.isEmpty()) {
      return defaults;
    }
    Fields fields = Fields.of(parse(text, name), "");
    ProfileReader reader = new ProfileReader(version);
    try {
      var profiles = reader.read(fields);
      reader.warnings().forEach(warning -> LOG.warnf("%s: %s", name, warning));
      Backoff backoff =
          new Backoff(
              ms(fields.integer("podInitialBackoffSeconds", 1)),
              ms(fields.integer("podMaxBackoffSeconds", 10)));
      return new RootConfig(
          version, profiles, backoff, defaults.patience(), defaults.seed(), compiler);
    } catch (InvalidObjectException e) {
      throw e.in(name);
    }
  }

  /**
   * What a file says; nothing if there is none.
   *
   * @throws InvalidObjectException if it cannot be read
   */
  static String text(Path file) {
    try {
      return file == null ? "" : Files.readString(file);
    } catch (IOException e) {
      throw new InvalidObjectException(
          "--config", file, "must be a readable file", "check the path and the file's permissions");
    }
  }

  private static long ms(long seconds) {
    return TimeUnit.SECONDS.toMillis(seconds);
  }

  private static Map<?, ?> parse(String text, String name) {
    try {
      Map<?, ?> parsed = new YAMLMapper().readValue(text, Map.class);
      return parsed == null ? Map.of() : parsed;
    } catch (JacksonException e) {
      throw new InvalidObjectException(
          "--config",
          name,
          "must be YAML or JSON: " + e.getOriginalMessage(),
          "check line " + (e.getLocation() == null ? "?" : e.getLocation().getLineNr()));
    }
  }
}

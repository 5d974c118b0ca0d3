// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ExtraArg;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.version.Component;
import java.util.List;
import java.util.Map;

/**
 * Flags that kube-scheduler ignores beside a configuration file, and where they are in it
 * (cmd/kube-scheduler/app/options: "ignored if a config file is specified"). Pure.
 */
final class SchedulerFile {
  static final Map<String, String> FIELDS =
      Map.of(
          "kube-api-qps", "clientConnection.qps",
          "kube-api-burst", "clientConnection.burst",
          "kube-api-content-type", "clientConnection.contentType",
          "profiling", "enableProfiling",
          "contention-profiling", "enableContentionProfiling");

  private SchedulerFile() {}

  /** Whether what a flag says is in the file, when there is one. */
  static boolean has(Component component, ExtraArg argument) {
    return component == Component.KUBE_SCHEDULER && FIELDS.containsKey(argument.name());
  }

  /** The file with what the user gives as flags. */
  static Map<String, Object> with(Map<String, Object> file, List<ExtraArg> arguments) {
    for (ExtraArg argument : arguments) {
      String field = FIELDS.get(argument.name());
      if (field != null) {
        Tuning.put(file, field, value(argument.value()));
      }
    }
    return file;
  }

  /** As the file has it: numbers and truths without quotes. */
  private static Object value(String text) {
    if (text.equals("true") || text.equals("false")) {
      return Boolean.valueOf(text);
    }
    return text.matches("[0-9]{1,9}(\\.[0-9]{1,3})?") ? (Object) number(text) : text;
  }

  private static Number number(String text) {
    return text.contains(".") ? (Number) Double.valueOf(text) : Long.valueOf(text);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install.olm;

import io.exaplane.testbed.machine.Machine;
import java.nio.file.Path;

/** The Operator Lifecycle Manager and opm, whose folder the launcher names in EXA_OLM. */
final class OlmPrograms {
  private OlmPrograms() {}

  /** One of {@code olm}, {@code catalog} and {@code opm}. */
  static String binary(String program) {
    return folder().resolve(program).toString();
  }

  /** The folder with OLM's API types. */
  static Path crds() {
    return folder().resolve("crds");
  }

  private static Path folder() {
    return Path.of(Machine.environment("EXA_OLM"));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

/** Makes selectors out of expressions in CEL. For one thread. */
public interface SelectorCompiler {
  /** One that knows no expression: who asks by selectors is not decided about. */
  SelectorCompiler NONE =
      expression -> {
        throw new SelectorException("no compiler of CEL was given");
      };

  /**
   * Compiles an expression over {@code device}, as kube-scheduler does.
   *
   * @throws SelectorException if it cannot
   */
  DeviceSelector compile(String expression);
}

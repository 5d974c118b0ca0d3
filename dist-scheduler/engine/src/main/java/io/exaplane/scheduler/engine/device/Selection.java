// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import io.exaplane.scheduler.engine.model.device.DeviceFacts;
import io.exaplane.scheduler.engine.model.device.DeviceSelector;
import io.exaplane.scheduler.engine.model.device.SelectorCompiler;
import io.exaplane.scheduler.engine.model.device.SelectorException;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Compiled selectors, and what they answered: as long as there is room, each is asked about a
 * device once. For its devices' thread.
 */
final class Selection {
  private static final int EXPRESSIONS = 1000;

  /** Of all expressions, about 40 bytes each. */
  private static final int ANSWERS = 2_000_000;

  private final SelectorCompiler compiler;
  private int answers;
  private final Map<String, Known> compiled =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
          return size() > EXPRESSIONS;
        }
      };

  /** A selector, or why there is none. */
  private record Known(
      DeviceSelector selector, String problem, Map<DeviceFacts, Boolean> answers) {}

  Selection(SelectorCompiler compiler) {
    this.compiler = compiler;
  }

  /** Why an expression cannot be compiled, or null. */
  String problemOf(String expression) {
    return known(expression).problem();
  }

  /**
   * Whether an expression that can be compiled selects a device.
   *
   * @throws SelectorException if it has no answer
   */
  boolean matches(String expression, DeviceFacts device) {
    Known known = known(expression);
    if (known.selector() == null) {
      throw new SelectorException(known.problem());
    }
    Boolean answer = known.answers().get(device);
    if (answer == null) {
      answer = known.selector().matches(device);
      if (++answers > ANSWERS) {
        compiled.values().forEach(other -> other.answers().clear());
        answers = 0;
      }
      known.answers().put(device, answer);
    }
    return answer;
  }

  private Known known(String expression) {
    Known known = compiled.get(expression);
    if (known == null) {
      known = compile(expression);
      compiled.put(expression, known);
    }
    return known;
  }

  private Known compile(String expression) {
    try {
      return new Known(compiler.compile(expression), null, new IdentityHashMap<>());
    } catch (SelectorException e) {
      return new Known(null, e.getMessage(), new IdentityHashMap<>());
    }
  }
}

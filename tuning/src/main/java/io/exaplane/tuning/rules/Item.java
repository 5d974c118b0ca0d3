// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import io.exaplane.tuning.version.Component;
import java.util.Map;

/**
 * One value that the model advises, and all that it takes to judge it.
 *
 * @param value text; for an object of the API its manifest
 * @param defaultValue what it would be without the advice
 * @param rule the name of the rule
 * @param inputs the numbers that went in, by their names
 * @param source KEP, file, issue or measurement that the rule rests on
 * @param risk what it costs, and when it is wrong
 */
public record Item(
    Component component,
    Type kind,
    String name,
    Object value,
    String defaultValue,
    String rule,
    String reason,
    Map<String, String> inputs,
    String source,
    Confidence confidence,
    String risk) {
  /** What is set. */
  public enum Type {
    FLAG,
    GATE,
    ENV,
    APF,
    RESOURCE,
    CONFIG,
    /** A limit of the kernel or of a process, which the host has to give. */
    HOST
  }

  /** How sure the rule is: read in code, from documents and reports, or derived by us. */
  public enum Confidence {
    H,
    M,
    L
  }
}

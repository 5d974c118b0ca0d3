// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

/** Ends a fetch with a problem. */
final class Refused extends Exception {
  private static final long serialVersionUID = 1;
  private final transient SourceProblem problem;
  private final boolean missing;

  private Refused(SourceProblem problem, boolean missing) {
    super(problem.message());
    this.problem = problem;
    this.missing = missing;
  }

  /** Stays until somebody changes something. */
  static Refused lasting(String field, String value, String rule, String next) {
    return new Refused(new SourceProblem(field, value, rule, next, false), false);
  }

  /** The place says that something does not exist. */
  static Refused missing(String field, String value, String rule, String next) {
    return new Refused(new SourceProblem(field, value, rule, next, false), true);
  }

  /** May be gone at the next try. */
  static Refused passing(String field, String value, String rule, String next) {
    return new Refused(new SourceProblem(field, value, rule, next, true), false);
  }

  boolean isMissing() {
    return missing;
  }

  SourceProblem problem() {
    return problem;
  }
}

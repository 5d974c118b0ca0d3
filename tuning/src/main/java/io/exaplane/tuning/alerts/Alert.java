// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.alerts;

import java.util.Locale;
import java.util.Objects;

/**
 * One alert, and all that a person needs who is woken by it. Immutable.
 *
 * @param name as Alertmanager shows it; begins with {@code Exaplane}
 * @param severity whom it wakes
 * @param expression in PromQL, true while the trouble lasts
 * @param held for so long it must be true, as Prometheus writes durations: {@code 5m}
 * @param summary what is broken, and for whom; may have templates of Prometheus
 * @param action what to do next, as a command
 * @param basis where the threshold comes from: a source, or a formula of the model
 * @param page of the runbook, without its end {@code .md}
 */
public record Alert(
    String name,
    Severity severity,
    String expression,
    String held,
    String summary,
    String action,
    String basis,
    String page) {
  /** Whom an alert wakes. */
  public enum Severity {
    /** A person now, at night, too: users are cut off, or will be within minutes. */
    CRITICAL,
    /** A person within the working day: an outage is some hours or one more failure away. */
    WARNING,
    /** Nobody: a fact for the next look at the cluster. */
    INFO
  }

  /** The first of several words; the rest follows in a row. */
  static Alert named(String name) {
    return new Alert("Exaplane" + name, null, "", "", "", "", "", "");
  }

  Alert critical(String forTime) {
    return of(Severity.CRITICAL, forTime);
  }

  Alert warning(String forTime) {
    return of(Severity.WARNING, forTime);
  }

  Alert info(String forTime) {
    return of(Severity.INFO, forTime);
  }

  private Alert of(Severity newSeverity, String forTime) {
    return new Alert(name, newSeverity, expression, forTime, summary, action, basis, page);
  }

  Alert when(String promql) {
    return new Alert(name, severity, promql, held, summary, action, basis, page);
  }

  Alert says(String newSummary) {
    return new Alert(name, severity, expression, held, newSummary, action, basis, page);
  }

  Alert then(String newAction) {
    return new Alert(name, severity, expression, held, summary, newAction, basis, page);
  }

  Alert since(String newBasis) {
    return new Alert(name, severity, expression, held, summary, action, newBasis, page);
  }

  Alert on(String newPage) {
    return new Alert(name, severity, expression, held, summary, action, basis, newPage);
  }

  /**
   * Nobody is woken by half an alert.
   *
   * @throws IllegalStateException if a part is missing
   */
  Alert mustBeWhole() {
    Objects.requireNonNull(severity, name);
    for (String part : new String[] {expression, held, summary, action, basis, page}) {
      if (part.isBlank()) {
        throw new IllegalStateException(
            name + ": expression, time, summary, action, basis and page must be given");
      }
    }
    return this;
  }

  /** The section of the page, as a link names it. */
  public String anchor() {
    return page + ".md#" + name.toLowerCase(Locale.ROOT);
  }
}

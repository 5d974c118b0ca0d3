// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.List;

/**
 * Terms of which one has to match a node; none at all match nothing. Source:
 * component-helpers/scheduling/corev1/nodeaffinity.
 */
public record NodeSelector(List<Term> terms) {
  private static final String NAME = "metadata.name";

  /**
   * Conditions on a node that all have to hold.
   *
   * @param fields conditions on metadata.name, IN or NOT_IN with one value
   */
  public record Term(List<Requirement> expressions, List<Requirement> fields) {
    /** An empty term, or one that no API server would have taken, matches nothing. */
    public boolean matches(String nodeName, Labels labels) {
      if (isEmpty() || !isValid()) {
        return false;
      }
      if (!matchesLabels(labels)) {
        return false;
      }
      for (Requirement field : fields) {
        String value = field.key().equals(NAME) ? nodeName : "";
        if (field.values().contains(value) != (field.operator() == Requirement.Operator.IN)) {
          return false;
        }
      }
      return true;
    }

    /** Whether labels satisfy the expressions, whatever else the term asks for. */
    public boolean matchesLabels(Labels labels) {
      for (Requirement requirement : expressions) {
        if (!requirement.matches(labels.get(requirement.key()))) {
          return false;
        }
      }
      return true;
    }

    public boolean isEmpty() {
      return expressions.isEmpty() && fields.isEmpty();
    }

    public boolean isValid() {
      return expressions.stream().allMatch(Requirement::isValid)
          && fields.stream()
              .allMatch(
                  f ->
                      f.values().size() == 1
                          && (f.operator() == Requirement.Operator.IN
                              || f.operator() == Requirement.Operator.NOT_IN));
    }
  }

  /** A term and what a node that matches it is worth. */
  public record Preferred(int weight, Term term) {}

  public boolean matches(String nodeName, Labels labels) {
    for (Term term : terms) {
      if (term.matches(nodeName, labels)) {
        return true;
      }
    }
    return false;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the conditions that objects and configurations put on nodes and pods. */
public final class Selectors {
  private static final Map<String, Requirement.Operator> OPERATORS =
      Map.of(
          "In", Requirement.Operator.IN,
          "NotIn", Requirement.Operator.NOT_IN,
          "Exists", Requirement.Operator.EXISTS,
          "DoesNotExist", Requirement.Operator.DOES_NOT_EXIST,
          "Gt", Requirement.Operator.GT,
          "Lt", Requirement.Operator.LT);

  private static final Set<String> WHEN_UNSATISFIABLE = Set.of("DoNotSchedule", "ScheduleAnyway");
  private static final String HONOR = "Honor";
  private static final Set<String> POLICIES = Set.of(HONOR, "Ignore");

  private Selectors() {}

  /** A LabelSelector; one that is absent matches nothing. */
  public static LabelSelector labelSelector(Fields parent, String name) {
    if (!parent.has(name)) {
      return LabelSelector.NOTHING;
    }
    Fields fields = parent.child(name);
    LabelSelector labels = LabelSelector.ofLabels(fields.stringMap("matchLabels"));
    List<Requirement> expressions = requirements(fields, "matchExpressions");
    for (Requirement requirement : expressions) {
      boolean ofNodes =
          requirement.operator() == Requirement.Operator.GT
              || requirement.operator() == Requirement.Operator.LT;
      if (ofNodes || !requirement.isValid()) {
        throw new InvalidObjectException(
            fields.path("matchExpressions"),
            requirement,
            ofNodes
                ? "Gt and Lt are for nodes alone"
                : "In and NotIn take values, Exists and DoesNotExist none",
            "fix the selector");
      }
    }
    return labels.and(LabelSelector.of(expressions));
  }

  /** A NodeSelector. */
  public static NodeSelector nodeSelector(Fields fields) {
    return new NodeSelector(
        fields.children("nodeSelectorTerms").stream().map(Selectors::term).toList());
  }

  /** A NodeSelectorTerm. */
  public static NodeSelector.Term term(Fields fields) {
    return new NodeSelector.Term(
        requirements(fields, "matchExpressions"), requirements(fields, "matchFields"));
  }

  /** A TopologySpreadConstraint. */
  public static SpreadConstraint spreadConstraint(Fields fields) {
    return new SpreadConstraint(
        fields.between("maxSkew", 1, Integer.MAX_VALUE),
        fields.required("topologyKey"),
        fields.oneOf("whenUnsatisfiable", "", WHEN_UNSATISFIABLE).equals("DoNotSchedule"),
        labelSelector(fields, "labelSelector"),
        fields.has("minDomains") ? fields.between("minDomains", 1, Integer.MAX_VALUE) : 1,
        fields.oneOf("nodeAffinityPolicy", HONOR, POLICIES).equals(HONOR),
        fields.oneOf("nodeTaintsPolicy", "Ignore", POLICIES).equals(HONOR),
        fields.strings("matchLabelKeys"));
  }

  private static List<Requirement> requirements(Fields parent, String name) {
    List<Requirement> requirements = new ArrayList<>();
    for (Fields fields : parent.children(name)) {
      Requirement.Operator operator = OPERATORS.get(fields.string("operator"));
      if (operator == null) {
        throw new InvalidObjectException(
            fields.path("operator"),
            fields.string("operator"),
            "it has to be one of In, NotIn, Exists, DoesNotExist, Gt, Lt",
            "fix the selector");
      }
      requirements.add(new Requirement(fields.string("key"), operator, fields.strings("values")));
    }
    return requirements;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/**
 * What was measured. All times are seconds. What was not measured is null.
 *
 * @param request the management cluster's own answer to the creation of a ControlPlane
 * @param firstCondition from the creation of a ControlPlane
 * @param allObjects from the creation of a ControlPlane to its last object
 * @param lastObjectOfKind the same for each Kind
 * @param operator the operator's figures after each part, by the part's name
 * @param deletedSeconds until no ControlPlane and no object of the operator existed
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FleetReport(
    int controlPlanes,
    String kubernetesVersion,
    double createdSeconds,
    Times request,
    Times firstCondition,
    Times allObjects,
    Map<String, Times> lastObjectOfKind,
    Idle idle,
    Change change,
    Takeover takeover,
    Map<String, OperatorFigures> operator,
    Double deletedSeconds) {

  /**
   * What was written while nothing changed.
   *
   * @param perMinute objects that the operator wrote
   * @param byWriter objects by the field manager that wrote them, Kubernetes' own included
   */
  public record Idle(double seconds, double perMinute, Map<String, Integer> byWriter) {}

  /**
   * Changes of specs.
   *
   * @param patch the JSON merge patch
   * @param reconciled from the request until the status shows the new generation
   */
  public record Change(String patch, double perSecond, Times reconciled) {}

  /**
   * The end of the leader.
   *
   * @param leaderSeconds until another pod held the Lease
   * @param allSeconds until a change of each ControlPlane was reconciled
   */
  public record Takeover(
      String killed, String successor, double leaderSeconds, double allSeconds) {}

  /** The same with the time of the deletion. */
  public FleetReport deleted(double seconds) {
    return new FleetReport(
        controlPlanes,
        kubernetesVersion,
        createdSeconds,
        request,
        firstCondition,
        allObjects,
        lastObjectOfKind,
        idle,
        change,
        takeover,
        operator,
        seconds);
  }
}

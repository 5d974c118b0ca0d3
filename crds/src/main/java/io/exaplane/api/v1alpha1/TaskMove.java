// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** A resource that a task moves. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskMove(
    @JsonPropertyDescription("The resource, by API group and plural name.") ResourceRef resource,
    @JsonPropertyDescription("Name of the store that had the resource when the task began.")
        String fromStore,
    @JsonPropertyDescription("Number of keys that were moved; absent before the switch.") Long keys,
    @JsonPropertyDescription(
            "Milliseconds for which writes of the resource waited at the switch; absent before the"
                + " switch, and if another operator ended it.")
        Long pauseMilliseconds,
    @JsonPropertyDescription(
            "Why the operator takes the move back; absent while nothing stands in its way.")
        String failure) {

  /** One that has not moved. */
  public TaskMove(ResourceRef resource, String fromStore) {
    this(resource, fromStore, null, null, null);
  }

  /**
   * The same after the switch.
   *
   * @param pause milliseconds for which writes waited; null if nobody knows
   */
  public TaskMove moved(Long allKeys, Long pause) {
    return new TaskMove(resource, fromStore, allKeys, pause, null);
  }

  /** The same, to be taken back for that reason. */
  public TaskMove failed(String why) {
    return new TaskMove(resource, fromStore, keys, pauseMilliseconds, why);
  }
}

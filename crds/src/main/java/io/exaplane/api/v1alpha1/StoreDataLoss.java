// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** Data that a store had and does not find. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StoreDataLoss(
    @JsonPropertyDescription(
            "Id of this loss. The annotation exaplane.io/accept-data-loss with this value accepts "
                + "this loss only.")
        String incident,
    @JsonPropertyDescription("RFC 3339 time at which the operator detected the loss.") String since,
    @JsonPropertyDescription("Content of the volume instead of the store's data.") String found,
    @JsonPropertyDescription("Newest known revision of the lost data.") Long lastRevision,
    @JsonPropertyDescription("Whether a person accepted the loss.") Boolean accepted) {

  /** The same, accepted. */
  public StoreDataLoss accept() {
    return new StoreDataLoss(incident, since, found, lastRevision, true);
  }

  /** Whether a person accepted the loss. */
  public boolean wasAccepted() {
    return Boolean.TRUE.equals(accepted);
  }
}

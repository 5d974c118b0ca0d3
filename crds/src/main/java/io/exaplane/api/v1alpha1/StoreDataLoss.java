// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** Data that a store had and does not find. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StoreDataLoss(
    @JsonPropertyDescription(
            "Names this loss: the annotation exaplane.io/accept-data-loss with this value accepts it, and"
                + " no other.")
        String incident,
    @JsonPropertyDescription("RFC 3339 time at which the loss was seen.") String since,
    @JsonPropertyDescription("What the store found in the place of its data.") String found,
    @JsonPropertyDescription("The newest revision that was known of the data.") Long lastRevision,
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

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

import java.util.Set;

/**
 * What devices of a claim have to have in common, or may not.
 *
 * @param requests to which it applies, by name or by name and alternative; empty for all
 * @param attribute empty if the constraint is of a kind that is not known
 * @param distinct whether the values of the attribute have to differ
 */
public record DeviceConstraint(Set<String> requests, String attribute, boolean distinct) {
  /** Whether it applies to an option of a request. */
  public boolean concerns(DeviceRequest request, DeviceRequest.Option option) {
    return requests.isEmpty()
        || requests.contains(request.name())
        || (request.ranked() && requests.contains(request.reference(option)));
  }
}

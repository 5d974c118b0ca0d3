// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.ReasonWitness;

/**
 * One Event to be: something happened that no condition tells. Immutable.
 *
 * @param warns whether it is a Warning
 */
public record News(boolean warns, Reason reason, String message) {
  public News {
    assert ReasonWitness.made(reason);
  }
}

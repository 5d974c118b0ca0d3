// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.Reason;

/** Something of the model's that is not so, and what to do, for people. */
record Problem(Reason reason, String message) {}

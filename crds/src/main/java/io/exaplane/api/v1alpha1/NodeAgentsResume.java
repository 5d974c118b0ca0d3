// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What ends a hold of the waves. */
public enum NodeAgentsResume {
  /** Good looks in a row. */
  Automatic,
  /** A person, by an annotation. */
  Manual
}

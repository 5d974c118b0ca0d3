// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What a metadata service wants before it answers. */
public enum MetadataSession {
  /** Nothing. */
  None,
  /** A session token, as version 2 of the metadata service of AWS. */
  IMDSv2
}

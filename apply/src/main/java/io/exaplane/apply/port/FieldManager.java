// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.port;

/**
 * One element of {@code metadata.managedFields}. Immutable: nobody writes into {@code fieldsV1}.
 *
 * @param manager name, such as {@code kubectl-edit}
 * @param operation {@code Apply} or {@code Update}
 * @param subresource such as {@code status}; empty for the object itself
 * @param apiVersion version in which the fields are named
 * @param time RFC 3339 as the server wrote it; empty when absent
 * @param fieldsV1 the JSON of {@code fieldsV1}, UTF-8
 */
public record FieldManager(
    String manager,
    String operation,
    String subresource,
    String apiVersion,
    String time,
    byte[] fieldsV1) {
  /**
   * Whether a writer is this one.
   *
   * @param name the name that we apply with
   * @return true for our applies of the object itself
   */
  public boolean isApplyOf(String name) {
    return manager.equals(name) && operation.equals("Apply") && subresource.isEmpty();
  }
}

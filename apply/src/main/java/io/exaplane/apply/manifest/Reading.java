// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import java.util.List;

/**
 * What files hold. Immutable. With a problem, objects may be missing here that the files mean to
 * have: nobody may delete from the cluster what such a reading lacks.
 *
 * @param manifests the objects, in the order of files and lines
 * @param problems what could not be read
 * @param files how many files were read
 * @param bytes how long they were, together
 */
public record Reading(List<Manifest> manifests, List<Problem> problems, int files, long bytes) {
  public Reading {
    manifests = List.copyOf(manifests);
    problems = List.copyOf(problems);
  }

  /**
   * Whether every file was read to its end.
   *
   * @return true without problems
   */
  public boolean isWhole() {
    return problems.isEmpty();
  }
}

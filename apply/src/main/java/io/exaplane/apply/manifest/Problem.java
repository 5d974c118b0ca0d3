// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

/**
 * Why a part of a file is not applied. Immutable.
 *
 * @param source file and line; line 0 when the whole file is meant
 * @param message field, value, rule and next action
 */
public record Problem(Manifest.Source source, String message) {
  @Override
  public String toString() {
    return (source.line() == 0 ? source.file() : source.toString()) + ": " + message;
  }
}

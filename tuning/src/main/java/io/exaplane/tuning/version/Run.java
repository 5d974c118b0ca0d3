// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

/** What holds from one minor version to another, both included. */
public record Run<T>(MinorVersion from, MinorVersion until, T value) {
  boolean covers(MinorVersion version) {
    return from.compareTo(version) <= 0 && version.compareTo(until) <= 0;
  }
}

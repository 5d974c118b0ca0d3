// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

/**
 * Something to look at later. Immutable.
 *
 * @param atMs when, in ms of the engine's clock
 * @param number order among equals
 * @param what what to do then
 */
record Timer(long atMs, long number, Runnable what) implements Comparable<Timer> {
  @Override
  public int compareTo(Timer other) {
    int order = Long.compare(atMs, other.atMs);
    return order != 0 ? order : Long.compare(number, other.number);
  }
}

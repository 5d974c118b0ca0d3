// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

/**
 * Something that a plan does not carry, or nearly.
 *
 * @param name a stable name, in lower case with dashes
 * @param fatal whether the plan does not work; if not, it is a warning
 * @param message for people
 * @param next what to do
 */
public record Problem(String name, boolean fatal, String message, String next) {}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

/**
 * The place still has the revision from before; its signature, if a key was given, still fits.
 *
 * @param revision that revision
 */
public record Unchanged(String revision) implements Fetch {}

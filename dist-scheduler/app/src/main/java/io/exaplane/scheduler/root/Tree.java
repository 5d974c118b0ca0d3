// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.tree.Down;
import java.util.function.LongSupplier;

/**
 * What a root that has others below it needs to know.
 *
 * @param rules by which they decide, the same as its own
 * @param epoch of the root once it is in charge, higher than those of all before
 */
public record Tree(Down.Rules rules, LongSupplier epoch) {}

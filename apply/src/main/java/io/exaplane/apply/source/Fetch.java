// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

/** How a fetch ended. */
public sealed interface Fetch permits Fetched, Unchanged, SourceProblem {}

// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.port;

import java.util.List;

/**
 * One page of a list. Immutable.
 *
 * @param items the objects
 * @param resourceVersion of the list: a watch from here misses nothing
 * @param next token of the next page; empty after the last one
 * @param bytes size of the answer's body, for what a source costs
 */
public record ListPage(List<Observed> items, long resourceVersion, String next, long bytes) {
  public ListPage {
    items = List.copyOf(items);
  }
}

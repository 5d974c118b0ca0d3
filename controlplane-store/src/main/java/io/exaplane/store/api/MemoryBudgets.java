// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

/**
 * Heap that requests and answers may take, of all clients together.
 *
 * @param answerBytes of answers that are made whole, or whose order has to be found, until their
 *     clients have taken them
 * @param waitingBytes of requests that wait for the writer
 */
public record MemoryBudgets(long answerBytes, long waitingBytes) {
  private static final int PARTS = 6;
  private static final long MOST_WAITING_BYTES = 256L << 20;

  /**
   * Budgets of a heap: a sixth for answers, a sixth for what waits, since the index may take a
   * third and its order for a backup as much, for a time. Two of the largest requests always fit.
   */
  public static MemoryBudgets of(long heapBytes, int maxRequestBytes) {
    long part = Math.max(heapBytes / PARTS, 2L * maxRequestBytes);
    return new MemoryBudgets(part, Math.min(part, MOST_WAITING_BYTES));
  }
}

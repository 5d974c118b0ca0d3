/**
 * Requests become changes and results: comparisons, ranges, puts, deletions and transactions. It
 * knows no bytes of the wire and no service; leases and keys are asked, not kept.
 */
package io.exaplane.store.core.execute;

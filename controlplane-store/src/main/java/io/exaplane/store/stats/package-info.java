/**
 * Counters and histograms that one thread raises and any thread reads. It knows nobody who counts,
 * and no page on which they are shown.
 */
package io.exaplane.store.stats;

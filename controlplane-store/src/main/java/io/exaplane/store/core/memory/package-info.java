/**
 * Memory outside the heap: address space, segments of records, and when a segment that nobody reads
 * is given back. It knows no keys and no revisions in their order; a record is bytes with a header.
 */
package io.exaplane.store.core.memory;

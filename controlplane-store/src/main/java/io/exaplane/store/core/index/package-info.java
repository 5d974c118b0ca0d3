/**
 * Keys to slots, slots to the newest version, and keys in order with counts. It knows no revisions,
 * and of values only where their record lies.
 */
package io.exaplane.store.core.index;

/**
 * Requests that took long: what they asked for, where their time went, and how many there were. It
 * knows nobody who carries requests out.
 */
package io.exaplane.store.api.slow;

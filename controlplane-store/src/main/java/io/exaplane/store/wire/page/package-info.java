/**
 * Requests of plain HTTP and their answers, with bounds on sizes and times. It does not know what a
 * page says: that comes from {@code app}.
 */
package io.exaplane.store.wire.page;

/**
 * Places for connections: how many there may be in all and of one source, and who makes room. It
 * knows nothing of what a connection says.
 */
package io.exaplane.store.wire.door;

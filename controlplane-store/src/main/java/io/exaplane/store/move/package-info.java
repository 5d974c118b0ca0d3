/**
 * Kinds that move from one store to another: who may use the keys below a prefix now, and what
 * becomes of requests that may not. The state is kept in one small file of the data folder.
 */
package io.exaplane.store.move;

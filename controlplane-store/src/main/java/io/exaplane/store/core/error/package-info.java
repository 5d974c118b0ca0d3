/**
 * Why the store refuses something, with etcd's code and text. It knows no request and no way on
 * which the answer goes.
 */
package io.exaplane.store.core.error;

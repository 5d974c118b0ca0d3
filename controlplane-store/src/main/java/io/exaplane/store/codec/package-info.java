/**
 * etcd's protobuf by hand, in both directions, from and to the store's own memory. It judges no
 * request and knows no connection: bytes come in and go out.
 */
package io.exaplane.store.codec;

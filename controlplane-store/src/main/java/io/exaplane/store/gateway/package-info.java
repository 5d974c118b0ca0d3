/**
 * etcd's JSON gateway: requests of JSON become messages of gRPC, and answers become JSON again. It
 * knows no connection and no key: who asked is a port of {@code wire.page}.
 */
package io.exaplane.store.gateway;

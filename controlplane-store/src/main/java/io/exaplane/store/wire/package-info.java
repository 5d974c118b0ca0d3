/**
 * HTTP/2 and gRPC frames, flow control, and what a connection may ask of the server. It knows no
 * service of etcd and no key: a method's bytes come in and go out.
 */
package io.exaplane.store.wire;

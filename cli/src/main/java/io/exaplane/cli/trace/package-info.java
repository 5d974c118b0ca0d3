/**
 * A proxy before a store that counts what its clients ask. It knows etcd's protocol and no store of
 * its own, and keeps neither names of objects nor values.
 */
package io.exaplane.cli.trace;

/** The tree's streams between processes. */
package io.exaplane.scheduler.grpc;

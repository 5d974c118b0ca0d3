/** Finds devices for claims on a node, as kube-scheduler's allocator does. */
package io.exaplane.scheduler.engine.device;

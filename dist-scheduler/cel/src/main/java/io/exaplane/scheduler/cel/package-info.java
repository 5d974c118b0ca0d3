/** Selectors of devices, in the CEL of Kubernetes. */
package io.exaplane.scheduler.cel;

/** In which order pods are judged. */
package io.exaplane.scheduler.queue;

/** The process: what it is told when it starts, whether it is in charge, how it is. */
package io.exaplane.scheduler.app;

/** Devices: what drivers publish, what claims ask for, and what they were given. */
package io.exaplane.scheduler.engine.model.device;

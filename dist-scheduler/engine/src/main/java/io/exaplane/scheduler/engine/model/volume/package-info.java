/** Claims, volumes and what provisions them, as far as they decide where a pod may run. */
package io.exaplane.scheduler.engine.model.volume;

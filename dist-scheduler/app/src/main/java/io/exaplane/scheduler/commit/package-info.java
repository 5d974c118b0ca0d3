/** What becomes of decisions on the API server: bindings, conditions, Events, victims, volumes. */
package io.exaplane.scheduler.commit;

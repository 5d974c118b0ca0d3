/**
 * One answer of the model for each size that a cluster grows through, as steps and as a picture. It
 * decides no value itself; of each size, the room path says what to change.
 */
package io.exaplane.tuning.plan;

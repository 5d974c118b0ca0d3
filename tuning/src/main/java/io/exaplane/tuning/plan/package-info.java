/**
 * One answer of the model for each size that a cluster grows through, as steps and as a picture. It
 * decides no value itself, and knows no price.
 */
package io.exaplane.tuning.plan;

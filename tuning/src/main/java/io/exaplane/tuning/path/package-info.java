/**
 * How to get there: the limits that a cluster exceeds on given servers, and the smallest set of
 * changes after which it exceeds none. It knows no value of a component: the rules decide those for
 * the changed shape.
 */
package io.exaplane.tuning.path;

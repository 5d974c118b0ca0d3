/**
 * What cold clients ask of a server that has many kinds of objects, and what that costs. It knows
 * no shape of a cluster and no rule.
 */
package io.exaplane.tuning.discovery;

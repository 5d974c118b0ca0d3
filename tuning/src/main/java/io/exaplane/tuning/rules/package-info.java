/**
 * A rule is one small class: what is to be set, and why, with its source and risk. It knows no
 * cluster that runs; what the version does not know or has by itself, {@code Advice} does not let
 * out.
 */
package io.exaplane.tuning.rules;

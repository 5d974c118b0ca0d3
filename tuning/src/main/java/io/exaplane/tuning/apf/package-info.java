/**
 * Priority levels and flow schemas, how many seats each gets, and the objects that say so. It knows
 * no rule and reads no cluster: sizes come in, objects come out.
 */
package io.exaplane.tuning.apf;

/**
 * The inputs with their defaults and bounds, and what follows from them before any rule: load,
 * memory, CPU, stores. It knows no flag's name and no rule.
 */
package io.exaplane.tuning.model;

/**
 * What the binaries of each minor version say of themselves: gates, flags, defaults, and known bugs
 * of patches. It knows no cluster's shape and recommends nothing.
 */
package io.exaplane.tuning.version;

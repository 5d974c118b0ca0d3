/**
 * The way in: the shape of a cluster and a version come in, items with their reasons, warnings and
 * figures come out, also as a document. It knows no cluster that runs, no file and no flag of a
 * command.
 */
package io.exaplane.tuning;

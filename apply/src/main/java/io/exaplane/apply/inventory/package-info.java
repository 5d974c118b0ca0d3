/** What a source has applied, kept in the cluster itself. */
package io.exaplane.apply.inventory;

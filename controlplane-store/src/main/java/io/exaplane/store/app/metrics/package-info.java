/**
 * What the store counts, as a page of metrics under our names and etcd's. It measures nothing
 * itself, and knows no flags.
 */
package io.exaplane.store.app.metrics;

/**
 * Many control planes at once on a management cluster: creates, watches, changes and removes them.
 */
package io.exaplane.cli.fleet;

/** What the engine remembers of each object, in a few dozen bytes. */
package io.exaplane.apply.entry;

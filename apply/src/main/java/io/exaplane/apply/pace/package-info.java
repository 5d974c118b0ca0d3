/** How fast definitions may come. It knows no object, no clock and no connection. */
package io.exaplane.apply.pace;

/** The verbs of all clients on their way to the store. The store decides; nothing is kept here. */
@NullMarked
package io.holdfast.server.verbs;

import org.jspecify.annotations.NullMarked;

/** One client: its shared parts, how it opens and how it closes. */
@NullMarked
package io.holdfast.runtime.client;

import org.jspecify.annotations.NullMarked;

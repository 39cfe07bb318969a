/** Commands that run other programs under a lock: {@code run}, {@code once}, {@code elect}. */
@NullMarked
package io.holdfast.cli.run;

import org.jspecify.annotations.NullMarked;

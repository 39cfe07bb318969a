/** What {@code ./holdfast demo} runs: locks at work, shown in the terminal. */
@NullMarked
package io.holdfast.cli.demo;

import org.jspecify.annotations.NullMarked;

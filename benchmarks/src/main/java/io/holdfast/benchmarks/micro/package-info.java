/** JMH's view of single paths: {@code ./holdfast bench --jmh}. */
@NullMarked
package io.holdfast.benchmarks.micro;

import org.jspecify.annotations.NullMarked;

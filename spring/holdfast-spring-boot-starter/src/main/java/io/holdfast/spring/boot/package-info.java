/** Auto-configuration of Holdfast for Spring Boot 3.5 and 4. */
@NullMarked
package io.holdfast.spring.boot;

import org.jspecify.annotations.NullMarked;

/** What differs from database to database: words of SQL, settings, and what errors mean. */
@NullMarked
package io.holdfast.jdbc.dialect;

import org.jspecify.annotations.NullMarked;

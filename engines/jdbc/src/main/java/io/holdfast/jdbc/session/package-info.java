/** The mode session: PostgreSQL's advisory locks and the named locks of MariaDB and MySQL. */
@NullMarked
package io.holdfast.jdbc.session;

import org.jspecify.annotations.NullMarked;

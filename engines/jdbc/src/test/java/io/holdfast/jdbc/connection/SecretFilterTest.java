package io.holdfast.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretFilterTest {

  private final SecretFilter filter =
      new SecretFilter("jdbc:some://host/db?user=u&password=a%2Bb+c%40d&more=1", "");

  @ParameterizedTest
  @ValueSource(strings = {"a%2Bb+c%40d", "a+b+c@d", "a+b c@d"})
  void a_password_is_hidden_as_written_as_we_read_it_and_as_drivers_read_it(String shown) {
    SQLException error = new SQLException("no login with " + shown + " here", "28000");
    assertThat((Throwable) filter.hide(error)).hasMessage("no login with … here");
  }

  @ParameterizedTest
  @ValueSource(strings = {"no login", "a+b"})
  void an_error_without_the_password_is_the_same(String shown) {
    SQLException error = new SQLException(shown);
    assertThat((Throwable) filter.hide(error)).isSameAs(error);
  }
}

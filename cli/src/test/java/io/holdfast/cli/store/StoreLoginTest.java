package io.holdfast.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.CliException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The login:")
class StoreLoginTest {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "redis://host/1, redis://app:p%40s%20s@host/1",
    "redis://me@host, redis://me:p%40s%20s@host",
    "redis://own:word@host, redis://own:word@host",
    "'etcd://h1,h2', 'etcd://app:p%40s%20s@h1,h2'",
    "zookeeper://h1/root@x, zookeeper://app:p%40s%20s@h1/root@x",
    "jdbc:postgresql://host/db, jdbc:postgresql://host/db?user=app&password=p%40s%20s",
    "jdbc:postgresql://host/db?user=me, jdbc:postgresql://host/db?user=me&password=p%40s%20s",
    "jdbc:mariadb://host/db?a=b, jdbc:mariadb://host/db?a=b&user=app&password=p@s s",
    "jdbc:h2:tcp://host/db?holdfast.create=off,"
        + " jdbc:h2:tcp://host/db;USER=app;PASSWORD=p@s s?holdfast.create=off",
    "jdbc:sqlite:/a/b.db, jdbc:sqlite:/a/b.db",
    "memory:, memory:"
  })
  @DisplayName("goes where each kind of address has it")
  void into(String uri, String expected) {
    assertThat(new StoreLogin("app", "p@s s").into(uri)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "redis://host/1, redis://app@host/1",
    "redis://me@host, redis://me@host",
    "jdbc:postgresql://host/db, jdbc:postgresql://host/db?user=app",
    "jdbc:mariadb://host/db, jdbc:mariadb://host/db?user=app",
    "jdbc:h2:tcp://host/db, jdbc:h2:tcp://host/db;USER=app",
    "jdbc:sqlite:/a/b.db, jdbc:sqlite:/a/b.db"
  })
  @DisplayName("a user without a password is one, too")
  void userAlone(String uri, String expected) {
    assertThat(new StoreLogin("app", "").into(uri)).isEqualTo(expected);
    assertThat(new StoreLogin("", "").into(uri)).isEqualTo(uri);
  }

  @Test
  @DisplayName("the config file's is for the store of the config file, or for all if it names none")
  void otherStore() throws Exception {
    ConfigFile named = ConfigFile.read(secret("named", "store=redis://a\nuser=u\npassword=c"));
    ConfigFile general = ConfigFile.read(secret("general", "user=u\npassword=c"));
    Map<String, String> variables = Map.of("HOLDFAST_USER", "v", "HOLDFAST_PASSWORD", "e");
    StoreLogin none = new StoreLogin("", "");
    StoreLogin written = new StoreLogin("u", "c");
    StoreLogin said = new StoreLogin("v", "e");
    assertThat(StoreOption.login(Map.of(), named, "redis://a")).isEqualTo(written);
    assertThat(StoreOption.login(Map.of(), named, "redis://b")).isEqualTo(none);
    assertThat(StoreOption.login(Map.of(), general, "redis://b")).isEqualTo(written);
    assertThat(StoreOption.login(variables, named, "redis://b")).isEqualTo(said);
  }

  @Test
  @DisplayName("a password that would end early is refused without being shown")
  void awkward() {
    assertThatThrownBy(() -> new StoreLogin("app", "s3&cret").into("jdbc:mariadb://host/db"))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("'&'")
        .hasMessageNotContaining("s3");
  }

  @Test
  @DisplayName("the environment goes before the password file, and that before the config file")
  void order() throws Exception {
    Path file = secret("config", "user = u\npassword = c\npassword-file = pw\n");
    secret("pw", "f\n");
    ConfigFile config = ConfigFile.read(file);
    assertThat(StoreLogin.of(Map.of("HOLDFAST_PASSWORD", "e"), config))
        .isEqualTo(new StoreLogin("u", "e"));
    assertThat(StoreLogin.of(Map.of(), config)).isEqualTo(new StoreLogin("u", "f"));
    ConfigFile plain = ConfigFile.read(secret("plain", "password=c"));
    assertThat(StoreLogin.of(Map.of("HOLDFAST_USER", "x"), plain))
        .isEqualTo(new StoreLogin("x", "c"));
  }

  @Test
  @DisplayName("files with passwords that others may read are refused")
  void modes() throws Exception {
    Path file = secret("config", "password=s3cret");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> ConfigFile.read(file))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("chmod 600")
        .hasMessageNotContaining("s3cret");
    Files.writeString(file, "password-file=pw");
    assertThatThrownBy(() -> ConfigFile.read(file)).hasMessageContaining("chmod 600");
  }

  @Test
  @DisplayName("a line of the config file that is not understood is named by its number alone")
  void lines() throws Exception {
    Path file = secret("config", "# fine\nstore=memory:\npasword=s3cret\n");
    assertThatThrownBy(() -> ConfigFile.read(file))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("line 3")
        .hasMessageNotContaining("s3cret");
  }

  private Path secret(String name, String text) throws Exception {
    Path file = Files.writeString(folder.resolve(name), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }
}

package io.holdfast.jdbc.faults;

import java.sql.SQLException;
import org.h2.tools.Server;

/** H2 as a server on a free port, whose databases live in the memory of this process. */
record H2Server(Server server) implements AutoCloseable {

  static H2Server start() throws SQLException {
    return new H2Server(Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start());
  }

  /** The address of a database of this server alone; it is there until the process ends. */
  String url(String name) {
    int port = server.getPort();
    return "jdbc:h2:tcp://127.0.0.1:%d/mem:%s-%d;DB_CLOSE_DELAY=-1".formatted(port, name, port);
  }

  @Override
  public void close() {
    server.stop();
  }
}

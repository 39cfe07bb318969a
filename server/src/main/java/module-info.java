/** The lock service: locks of any store over HTTP. */
module io.holdfast.server {
  requires com.fasterxml.jackson.core;
  requires io.holdfast.core;
  requires org.eclipse.jetty.http;
  requires org.eclipse.jetty.io;
  requires org.eclipse.jetty.server;
  requires org.eclipse.jetty.util;
  requires org.eclipse.jetty.websocket.api;
  requires org.eclipse.jetty.websocket.server;
  requires static org.jspecify;

  exports io.holdfast.server;
  exports io.holdfast.server.settings;
}

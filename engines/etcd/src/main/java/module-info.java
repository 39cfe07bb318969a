/** Holdfast over etcd: the engine {@code etcd:}. */
@SuppressWarnings("requires-automatic") // gRPC and jetcd have no module descriptors.
module io.holdfast.etcd {
  requires io.holdfast.core;
  requires jetcd.grpc;
  requires io.grpc;
  requires io.grpc.stub;
  requires io.grpc.netty;
  requires io.netty.handler;
  requires com.google.protobuf;
  requires static org.jspecify;

  exports io.holdfast.etcd;

  provides io.holdfast.spi.EngineProvider with
      io.holdfast.etcd.EtcdEngineProvider;
}

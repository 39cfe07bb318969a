package io.holdfast.benchmarks;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A lock that is one ephemeral node: whoever makes it is in. Others ask again a little later. */
final class NodeCaller implements Contender.Caller {

  /** How nodes are made and deleted. */
  interface Nodes {

    /** Makes an ephemeral node; answers false when it is there. */
    boolean make(String path) throws Exception;

    /** Deletes the node that was made; throws when it is not there. */
    void delete(String path) throws Exception;
  }

  private final String root;
  private final Nodes nodes;
  private @Nullable String held;

  NodeCaller(String root, Nodes nodes) {
    this.root = root;
    this.nodes = nodes;
  }

  @Override
  public long acquire(String name) throws Exception {
    String path = root + "/" + name.replace('/', '-');
    Asking.untilYes(() -> nodes.make(path));
    held = path;
    return NO_TOKEN;
  }

  @Override
  public void release() throws Exception {
    nodes.delete(Objects.requireNonNull(held));
  }
}

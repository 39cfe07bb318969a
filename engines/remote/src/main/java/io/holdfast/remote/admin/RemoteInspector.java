package io.holdfast.remote.admin;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import io.holdfast.spi.support.InspectorArguments;
import io.holdfast.spi.wire.Query;
import java.util.List;
import java.util.Optional;

/** The inspector of the store behind the server. */
public final class RemoteInspector implements EngineInspector {

  private final Queries queries;

  public RemoteInspector(Queries queries) {
    this.queries = queries;
  }

  @Override
  public List<LineView> list(String namespace, String prefix, String after, int limit)
      throws EngineException {
    InspectorArguments.requirePage(namespace, limit);
    return queries.call(new Query.ListLines(namespace, prefix, after, limit), Query::readLines);
  }

  @Override
  public Optional<LineView> show(Resource resource) throws EngineException {
    return queries.call(new Query.Show(resource), Query::readFound);
  }

  @Override
  public Verdict revoke(Resource resource, long token, String reason) throws EngineException {
    return take(resource, token, reason, false);
  }

  @Override
  public Verdict evict(Resource resource, long token, String reason) throws EngineException {
    return take(resource, token, reason, true);
  }

  private Verdict take(Resource resource, long token, String reason, boolean atOnce)
      throws EngineException {
    InspectorArguments.requireReason(resource, reason);
    return queries.call(new Query.Take(resource, token, reason, atOnce), Query::readVerdict);
  }
}

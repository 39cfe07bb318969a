package io.holdfast.examples;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Loss;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Resource;
import java.util.concurrent.CompletableFuture;

/** Who holds what, and how to take it away: kindly, or at once. */
public final class Operators {

  private Operators() {}

  public static void main(String[] args) throws Exception {
    String store = "memory:operators?holdfast.lease=2s";
    try (Holdfast worker = Holdfast.connect(store + "&holdfast.app=worker");
        Holdfast holdfast = Holdfast.connect(store)) {
      Hold one = worker.lock("jobs/1").acquire();
      Hold two = worker.lock("jobs/2").acquire();
      CompletableFuture<Loss> oneLost = new CompletableFuture<>();
      CompletableFuture<Loss> twoLost = new CompletableFuture<>();
      one.onLoss(oneLost::complete);
      two.onLoss(twoLost::complete);

      // region docs
      EngineInspector inspector = holdfast.inspector().orElseThrow();
      for (LineView line : inspector.list("default", "jobs/", "", 100)) {
        TicketView holder = line.tickets().get(0);
        System.out.println(line.resource() + " " + holder.state() + " " + holder.owner().app());
      }

      // Gently: the holder is notified when it next renews, and rivals wait until it has left.
      Resource first = new Resource("default", "jobs/1");
      long token = inspector.show(first).orElseThrow().tickets().get(0).token();
      System.out.println("revoke: " + inspector.revoke(first, token, "stuck since noon"));

      // At once: until the holder renews, only the token protects what it writes to.
      Resource second = new Resource("default", "jobs/2");
      System.out.println("evict: " + inspector.evict(second, two.token(), "its host is gone"));
      System.out.println("free at once: " + holdfast.lock("jobs/2").tryAcquire().isPresent());
      // endregion

      System.out.println("jobs/1 lost, " + oneLost.join().reason());
      System.out.println("jobs/2 lost, " + twoLost.join().cause());
    }
  }
}

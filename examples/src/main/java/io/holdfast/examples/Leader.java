package io.holdfast.examples;

import io.holdfast.Election;
import io.holdfast.Election.Candidacy;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/** One of two leads; when it resigns, the other one does. */
public final class Leader {

  private Leader() {}

  // region docs
  /** What a machine does when it begins to lead, and when that is over. */
  record Machine(String name, BlockingQueue<String> news) implements Election.Candidate {

    @Override
    public void elected(Hold leadership) {
      news.add(name + " leads"); // leading goes on when this returns
    }

    @Override
    public void deposed() {
      news.add(name + " leads no more");
    }
  }

  // endregion

  public static void main(String[] args) throws InterruptedException {
    BlockingQueue<String> news = new LinkedBlockingQueue<>();
    try (Holdfast east = Holdfast.connect("memory:leader");
        Holdfast west = Holdfast.connect("memory:leader")) {
      Candidacy first = east.election("scheduler").stand(new Machine("east", news));
      System.out.println(news.take());

      Candidacy second = west.election("scheduler").stand(new Machine("west", news));
      System.out.println("both lead: " + (first.isLeader() && second.isLeader()));

      first.close(); // or resign(), to stand again after a pause
      System.out.println("east leads: " + first.isLeader());
      Stream.of(news.take(), news.take()).sorted().forEach(System.out::println);
      second.close();
    }
  }
}

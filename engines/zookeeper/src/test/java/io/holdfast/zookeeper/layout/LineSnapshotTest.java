package io.holdfast.zookeeper.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines as lists of children show them. */
class LineSnapshotTest {

  private static final String ID = "0123456789abcdef0123456789abcdef-";

  private static String mutex(int number, String place) {
    return "t-mf1-1-" + ID + number + "-" + place;
  }

  private static String unordered(int number, String place) {
    return "t-ma1-1-" + ID + number + "-" + place;
  }

  private static String semaphore(int capacity, int number, String place) {
    return "t-sf" + capacity + "-1-" + ID + number + "-" + place;
  }

  @Test
  void u27_places_are_in_order_across_the_end_of_numbers() {
    LineSnapshot line =
        LineSnapshot.of(
            List.of(
                mutex(3, "-2147483648"),
                mutex(1, "2147483646"),
                mutex(4, "-2147483647"),
                mutex(2, "2147483647")));
    assertThat(line.tickets())
        .extracting(ChildName.TicketName::id)
        .containsExactly(ID + 1, ID + 2, ID + 3, ID + 4);
    LineSnapshot.View view = line.seenAs(Shape.mutex(Order.FIFO));
    assertThat(view.granted()).isEqualTo(1);
    assertThat(view.predecessorOf(2)).map(ChildName.TicketName::id).contains(ID + 2);
  }

  @Test
  void the_last_resize_after_the_first_ticket_counts() {
    List<String> line = List.of(semaphore(2, 1, "0000000005"), "z-4-0000000007");
    assertThat(LineSnapshot.of(line).shape()).contains(Shape.semaphore(4));
    assertThat(LineSnapshot.of(line).replacedResizes()).isEmpty();
    List<String> again = List.of(semaphore(2, 1, "0000000005"), "z-4-0000000007", "z-1-0000000009");
    assertThat(LineSnapshot.of(again).shape()).contains(Shape.semaphore(1));
    assertThat(LineSnapshot.of(again).replacedResizes())
        .extracting(ChildName.Resized::place)
        .containsExactly(7);
  }

  @Test
  void a_resize_before_the_first_ticket_says_nothing_of_the_size_and_stays_until_all_are_gone() {
    String resize = "z-4-0000000003";
    LineSnapshot line = LineSnapshot.of(List.of(resize, semaphore(2, 1, "0000000005")));
    assertThat(line.shape()).contains(Shape.semaphore(2));
    assertThat(line.lastResize()).isPresent();
    assertThat(line.replacedResizes()).isEmpty();
    assertThat(LineSnapshot.of(List.of(resize, mutex(1, "0000000005"))).replacedResizes())
        .isEmpty();
  }

  @Test
  void who_is_behind_and_joined_before_a_resize_is_asked_whether_it_is_in() {
    LineSnapshot.View view =
        LineSnapshot.of(
                List.of(
                    semaphore(3, 1, "0000000005"),
                    semaphore(3, 2, "0000000006"),
                    semaphore(3, 3, "0000000008"),
                    "z-2-0000000007"))
            .seenAs(Shape.semaphore(3));
    assertThat(view.capacity()).isEqualTo(2);
    assertThat(view.behind(0, 7)).containsExactly(1);
    assertThat(view.weightUpTo(1)).isEqualTo(2);
  }

  @Test
  void one_that_shrank_makes_room_for_others() {
    String writer = "t-rf1048576-1048576-" + ID + "1-0000000001";
    String reader = "t-rf1048576-1-" + ID + "2-0000000002";
    assertThat(LineSnapshot.of(List.of(writer, reader)).seenAs(Shape.readWrite()).granted())
        .isEqualTo(1);
    LineSnapshot.View shrunk =
        LineSnapshot.of(List.of(writer, reader, "d-1-1")).seenAs(Shape.readWrite());
    assertThat(shrunk.granted()).isEqualTo(2);
    assertThat(shrunk.isWanted()).isFalse();
  }

  @Test
  void one_of_another_kind_ahead_may_be_in_and_keeps_all_of_it() {
    LineSnapshot line =
        LineSnapshot.of(List.of(mutex(1, "0000000001"), unordered(2, "0000000002")));
    LineSnapshot.View any = line.seenAs(Shape.mutex(Order.ANY));
    int behind = any.indexOf(unordered(2, "0000000002"));
    assertThat(any.isGranted(behind)).isFalse();
    assertThat(any.predecessorOf(behind)).map(ChildName.TicketName::id).contains(ID + 1);
    assertThat(any.hasRoomFor(1)).isFalse();
    LineSnapshot permits =
        LineSnapshot.of(List.of(mutex(1, "0000000001"), semaphore(3, 2, "0000000002")));
    LineSnapshot.View three = permits.seenAs(Shape.semaphore(3));
    assertThat(three.capacity()).isEqualTo(3);
    assertThat(three.granted()).isEqualTo(1);
    assertThat(three.predecessorOf(1)).map(ChildName.TicketName::id).contains(ID + 1);
  }

  @Test
  void one_of_another_kind_in_between_is_waited_for_by_those_behind_it_alone() {
    LineSnapshot.View view =
        LineSnapshot.of(
                List.of(
                    semaphore(3, 1, "0000000001"),
                    semaphore(3, 2, "0000000002"),
                    mutex(3, "0000000003"),
                    semaphore(3, 4, "0000000004"),
                    "z-3-0000000005"))
            .seenAs(Shape.semaphore(3));
    assertThat(view.granted()).isEqualTo(2);
    assertThat(view.predecessorOf(3)).map(ChildName.TicketName::id).contains(ID + 3);
    assertThat(view.behind(1, 5))
        .as("a mutex's ticket is not asked for permits")
        .containsExactly(3);
  }

  @Test
  void records_are_told_from_tickets_and_from_what_is_not_ours() {
    assertThat(ChildName.parse("v-17")).isEqualTo(new ChildName.Revoked("v-17", 17));
    assertThat(ChildName.parse("v--17")).isEqualTo(new ChildName.Revoked("v--17", -17));
    assertThat(ChildName.parse("k-1500-" + ID + "a")).isInstanceOf(ChildName.DoneMark.class);
    for (String foreign : List.of("", "x", "lock-0000000001", "t-", "z-x-1", "d-1", "t-mf0-1-1")) {
      assertThat(ChildName.parse(foreign)).isInstanceOf(ChildName.Foreign.class);
    }
    LineSnapshot line = LineSnapshot.of(List.of("v-7", "somebody", mutex(1, "0000000008")));
    assertThat(line.orphanedRevocations()).hasSize(1);
    assertThat(line.tickets()).hasSize(1);
  }
}

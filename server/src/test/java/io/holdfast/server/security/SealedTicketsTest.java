package io.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SealedTicketsTest {

  private static final Principal BILLING = new Principal("billing", List.of());
  private static final Principal OPS = new Principal("ops", List.of());

  @TempDir Path folder;
  private Path file;
  private SealedTickets seals;

  @BeforeEach
  void prepare() {
    file = folder.resolve("key");
    seals = new SealedTickets(KeyFile.openOrCreate(file));
  }

  private static Ticket ticket(Shape shape, int weight, boolean waits, boolean fixed, String text) {
    return new Ticket(
        new Ticket.Id(Long.MIN_VALUE, -1, 77),
        new Resource("shop", "orders/ü \"42\""),
        shape,
        weight,
        Duration.ofMillis(5500),
        127,
        waits,
        new Owner("app", "host", 4711, "main", text),
        fixed);
  }

  private static List<Ticket> tickets() {
    return List.of(
        ticket(Shape.mutex(Order.ANY), 1, true, false, ""),
        ticket(Shape.mutex(Order.FIFO), 1, false, true, "principal billing; 💡"),
        ticket(Shape.semaphore(20), 7, true, true, "x".repeat(2000)),
        ticket(Shape.semaphore(Shape.ADOPT), 7, true, false, ""),
        ticket(Shape.readWrite(), Shape.READ_WRITE_CAPACITY, true, false, ""),
        ticket(Shape.once(), 1, false, false, ""));
  }

  private static Refusal rejected(SealedTickets.Opened opened) {
    assertThat(opened).isInstanceOf(SealedTickets.Opened.Rejected.class);
    return ((SealedTickets.Opened.Rejected) opened).refusal();
  }

  @Test
  @DisplayName("a ticket comes back exactly as it was, at every replica with the same key")
  void roundTrip() {
    SealedTickets replica = new SealedTickets(KeyFile.openOrCreate(file));
    for (Ticket ticket : tickets()) {
      String text = seals.seal(ticket, BILLING);

      assertThat(text).matches("[A-Za-z0-9_-]+");
      assertThat(replica.open(text, BILLING)).isEqualTo(new SealedTickets.Opened.Whole(ticket));
    }
  }

  @Test
  @DisplayName("another principal cannot use it")
  void otherPrincipal() {
    String text = seals.seal(tickets().get(0), BILLING);

    Refusal refusal = rejected(seals.open(text, OPS));

    assertThat(refusal.status()).isEqualTo(403);
    assertThat(refusal.detail())
        .isEqualTo("the ticket was made for another principal than principal \"ops\"");
  }

  @Test
  @DisplayName("a change of any single bit, a cut and an extension are refused")
  void tampering() {
    String text = seals.seal(tickets().get(0), BILLING);
    byte[] whole = Base64.getUrlDecoder().decode(text);
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] changed = whole.clone();
      changed[bit / 8] ^= (byte) (1 << (bit % 8));
      assertChanged(Base64.getUrlEncoder().withoutPadding().encodeToString(changed));
    }
    for (int length = 0; length < text.length(); length++) {
      assertChanged(text.substring(0, length));
    }
    assertChanged(text + "A");
    assertChanged(text + "=");
    assertChanged(" " + text);
  }

  @Test
  @DisplayName("one ticket has one text: other characters for the same bytes are refused")
  void oneText() {
    String text = seals.seal(tickets().get(0), BILLING);
    byte[] whole = Base64.getUrlDecoder().decode(text);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    List<String> same = new ArrayList<>();
    for (int i = 0; i < alphabet.length(); i++) {
      String other = text.substring(0, text.length() - 1) + alphabet.charAt(i);
      if (Arrays.equals(Base64.getUrlDecoder().decode(other), whole)) {
        same.add(other);
      }
    }
    for (String other : same) {
      if (!other.equals(text)) {
        assertChanged(other);
      }
    }
    assertThat(seals.open(text, BILLING)).isInstanceOf(SealedTickets.Opened.Whole.class);
  }

  private void assertChanged(String text) {
    Refusal refusal = rejected(seals.open(text, BILLING));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.detail()).startsWith("the ticket was not made by this service");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "=", "ticket", "%%%", "ü", "AAAA AAAA"})
  @DisplayName("what is no ticket at all is refused")
  void garbage(String text) {
    assertChanged(text);
    assertChanged(text.repeat(5000));
  }

  @Test
  @DisplayName("a ticket of another key is refused, and its text is in no refusal")
  void otherKey() {
    SealedTickets other = new SealedTickets(KeyFile.openOrCreate(folder.resolve("other")));
    String text = other.seal(tickets().get(0), BILLING);

    Refusal refusal = rejected(seals.open(text, BILLING));

    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.toString()).doesNotContain(text);
  }

  @Test
  @DisplayName("keys are changed without a break: the first seals, all of them open")
  void keyChange() throws IOException {
    String before = seals.seal(tickets().get(0), BILLING);
    Path fresh = folder.resolve("fresh");
    KeyFile.openOrCreate(fresh);
    String both = Files.readString(fresh) + Files.readString(file);
    Files.writeString(file, both);
    SealedTickets changed = new SealedTickets(KeyFile.openOrCreate(file));

    assertThat(changed.open(before, BILLING)).isInstanceOf(SealedTickets.Opened.Whole.class);
    assertThat(
            new SealedTickets(KeyFile.openOrCreate(fresh))
                .open(changed.seal(tickets().get(0), BILLING), BILLING))
        .isInstanceOf(SealedTickets.Opened.Whole.class);
  }

  @Test
  @DisplayName("the key is made once, is random, and only its owner can read it")
  void created() throws IOException {
    String first = Files.readString(file);
    KeyFile again = KeyFile.openOrCreate(file);
    Path other = folder.resolve("other");
    KeyFile.openOrCreate(other);

    assertThat(Files.readString(file)).isEqualTo(first).isNotEqualTo(Files.readString(other));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(first.lines().skip(1)).first().asString().matches("[A-Za-z0-9+/]{43}=");
    assertThat(again.toString()).isEqualTo("1 keys");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(file, other);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rwxrwxrwx"})
  @DisplayName("a key that others can read or write is refused")
  void permissions(String permissions) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));

    assertThatThrownBy(() -> KeyFile.openOrCreate(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "key file " + file + " must be readable by its owner only: run chmod 600 " + file);
  }

  @Test
  @DisplayName("a malformed key is an error that does not repeat it")
  void malformed() throws IOException {
    String good = Files.readString(file);
    String key = good.lines().skip(1).findFirst().orElseThrow();
    for (String bad : List.of(key.substring(1), "!" + key, key + key)) {
      Files.writeString(file, "# comment\n" + bad);
      assertThatThrownBy(() -> KeyFile.openOrCreate(file))
          .hasMessage("key file " + file + " line 2: a key must be 32 bytes in Base64");
    }
    Files.writeString(file, "# nothing\n");
    assertThatThrownBy(() -> KeyFile.openOrCreate(file)).hasMessageContaining("has no key");
    Path nowhere = file.resolve("no").resolve("folder");
    assertThatThrownBy(() -> KeyFile.openOrCreate(nowhere))
        .hasMessageContaining("key file " + nowhere + " cannot be");
  }

  @Test
  @DisplayName("replicas that start at once on one new file get the same key")
  void race() throws Exception {
    int replicas = 8;
    ExecutorService threads = Executors.newFixedThreadPool(replicas);
    try {
      for (int round = 0; round < 50; round++) {
        Path shared = folder.resolve("shared" + round);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<String>> sealed = new ArrayList<>();
        for (int i = 0; i < replicas; i++) {
          sealed.add(
              threads.submit(
                  () -> {
                    start.await();
                    KeyFile key = KeyFile.openOrCreate(shared);
                    return new SealedTickets(key).seal(tickets().get(0), BILLING);
                  }));
        }
        start.countDown();
        Set<String> texts = new HashSet<>();
        for (Future<String> each : sealed) {
          texts.add(each.get());
        }
        assertThat(texts).hasSize(1);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  @DisplayName("an owner that does not fit is an error")
  void tooLong() {
    Ticket ticket = ticket(Shape.once(), 1, true, false, "x".repeat(60_000));
    assertThatThrownBy(() -> seals.seal(ticket, BILLING))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the owner of a ticket must be shorter");
  }
}

package io.holdfast.spi.wire;

import io.holdfast.spi.Guarantee;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a server says of itself and its store when a client connects.
 *
 * @param store the store's address for errors, without secrets
 * @param guarantees the guarantees of the store, seen through the server
 * @param leaseFloor shorter leases are refused
 * @param hasInspector whether the store can list its lines
 * @param counter whether the store can count
 * @param warnings what is to be fixed at the store
 */
public record Hello(
    String store,
    Set<Guarantee> guarantees,
    Duration leaseFloor,
    boolean hasInspector,
    Counting counter,
    List<String> warnings) {

  private static final int VERSION = 1;

  /** What the counter of a store can do. */
  public enum Counting {
    /** There is none. */
    NONE,
    /** It never repeats a number. */
    SAFE,
    /** It may lose the last blocks. */
    FORGETS
  }

  public Hello {
    guarantees = Set.copyOf(guarantees);
    warnings = List.copyOf(warnings);
  }

  /** Writes the whole message. */
  public MessageWriter toMessage() {
    MessageWriter out = new MessageWriter(Wire.HELLO).putInt(VERSION);
    out.put(store).putInt(guarantees.size());
    guarantees.forEach(each -> out.put(each.name()));
    out.put(leaseFloor).put(hasInspector).put(counter.name());
    out.putInt(warnings.size());
    warnings.forEach(out::put);
    return out;
  }

  /** Reads it after the type of the message. Guarantees that this version lacks are left out. */
  public static Hello read(MessageReader in) throws MalformedMessageException {
    int version = in.getInt();
    if (version != VERSION) {
      throw new MalformedMessageException(
          "the server speaks version " + version + ", this client version " + VERSION);
    }
    String store = in.getText();
    Set<Guarantee> guarantees = EnumSet.noneOf(Guarantee.class);
    for (String name : readTexts(in)) {
      for (Guarantee each : Guarantee.values()) {
        if (each.name().equals(name)) {
          guarantees.add(each);
        }
      }
    }
    Duration leaseFloor = in.getDuration();
    boolean hasInspector = in.getFlag();
    String counting = in.getText();
    for (Counting each : Counting.values()) {
      if (each.name().equals(counting)) {
        return new Hello(store, guarantees, leaseFloor, hasInspector, each, readTexts(in));
      }
    }
    throw new MalformedMessageException("unknown kind of counter");
  }

  private static List<String> readTexts(MessageReader in) throws MalformedMessageException {
    int count = in.getCount();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(in.getText());
    }
    return texts;
  }
}

package io.holdfast.spring.boot;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Conditional;

/** Warns that nothing is locked. */
@AutoConfiguration
@Conditional(HoldfastDisabledAutoConfiguration.Disabled.class)
public class HoldfastDisabledAutoConfiguration {

  private static final System.Logger LOG = System.getLogger("io.holdfast.spring");

  HoldfastDisabledAutoConfiguration() {
    LOG.log(
        System.Logger.Level.WARNING,
        "holdfast.enabled is not true: nothing is locked. Methods with @Locked, @RunOnce and"
            + " @LeaderOnly run unguarded, in every process.");
  }

  /** The opposite of what {@link HoldfastAutoConfiguration} needs. */
  static final class Disabled extends NoneNestedConditions {

    Disabled() {
      super(ConfigurationPhase.PARSE_CONFIGURATION);
    }

    @ConditionalOnProperty(name = "holdfast.enabled", havingValue = "true", matchIfMissing = true)
    static final class Enabled {}
  }
}

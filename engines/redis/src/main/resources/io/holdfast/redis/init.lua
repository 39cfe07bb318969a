-- Says that a bucket without a record has never granted anything, so that nobody has to wait for
-- the end of grants that it might have forgotten. A bucket with a record is left as it is.
return redis.call('SET', KEYS[1], '0 r=' .. reignOf(ARGV[1]), 'NX') and 1 or 0

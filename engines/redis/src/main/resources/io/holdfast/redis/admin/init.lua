-- Declares that a bucket without a record has never granted anything, so that no client has to wait
-- for the end of forgotten grants. A bucket with a record is left as it is.
return redis.call('SET', KEYS[1], '0 r=' .. incarnationOf(ARGV[1]), 'NX') and 1 or 0

-- A resource whose tickets get in strictly in order.
--   line      hash: h -> KIND CAPACITY (f mutex, s semaphore, w read/write), PLACES given so far,
--             weight that is INSIDE, the last place that was CALLED in, until when in ms the keys
--             of the line are KEPT, and in ms when the first lease ENDS, or earlier; and for each
--             ticket tID -> WEIGHT TOKEN JOINED LEASE PLACE CHANNEL BELL OWNER (token 0: it waits; a bell
--             that begins with ! can tell its client that it is in)
--   waiting   sorted set: tickets that wait, by place
--   holding   sorted set: tickets that are in, by the end of their lease in ms
--   watched   sorted set: tickets that wait, by the end of their lease in ms
--   bucket    see bucket.lua
--   gone      this ticket has left (l), was revoked (r REASON) or evicted (e REASON)
--   waiters, infos   those that wait without an order: see any-keys.lua
local line, waiting, holding, watched = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local bucket, gone = KEYS[5], KEYS[6]
local waiters, infos = KEYS[7], KEYS[8]

-- A resource whose tickets are granted strictly in order.
--   line      hash: h -> KIND CAPACITY (f mutex, s semaphore, w read/write), PLACES given so far,
--             weight of all holders (INSIDE), the last place that was CALLED, until when in ms the keys
--             of the line are KEPT, and in ms when the first lease ENDS, or earlier; and for each
--             ticket tID -> WEIGHT TOKEN JOINED LEASE PLACE CHANNEL WAKE OWNER (token 0: it waits; a WAKE
--             that begins with ! can be granted by a signal)
--   waiting   sorted set: waiters, by place
--   holding   sorted set: holders, by the end of their lease in ms
--   watched   sorted set: waiters, by the end of their lease in ms
--   bucket    see layout/bucket.lua
--   gone      this ticket has left (l), was revoked (r REASON) or evicted (e REASON)
--   waiters, infos   waiters without an order: see layout/any-keys.lua
local line, waiting, holding, watched = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local bucket, gone = KEYS[5], KEYS[6]
local waiters, infos = KEYS[7], KEYS[8]

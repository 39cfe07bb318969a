-- A resource without an order: one string key, and separate keys for its waiters.
--   lock     m ID TOKEN LEASE OWNER   held as a mutex
--            o ID TOKEN LEASE OWNER   held for a run of once
--            r ID KIND                reserved for a moment for a waiter
--            d ID                     a run of once is done
--            A token shows when it was minted: see layout/bucket.lua
--   gone     this ticket has left (l), was revoked (r REASON) or evicted (e REASON)
--   bucket   see layout/bucket.lua
--   needed   present while there are waiters, so that one MGET shows it
--   waiters  sorted set: ticket by the time it joined
--   infos    hash: ticket -> DEADLINE JOINED LEASE RESERVE CHANNEL WAKE KIND OWNER
local lock, gone, bucket, needed = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local waiters, infos = KEYS[5], KEYS[6]

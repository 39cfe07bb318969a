-- A resource without an order: one string key, and beside it the clients that wait for it.
--   lock     m ID TOKEN LEASE OWNER   held as a mutex
--            o ID TOKEN LEASE OWNER   held for a run of once
--            r ID KIND                kept for a moment for one that waits
--            d ID                     a run of once is done
--            A token tells when it was minted: see bucket.lua
--   gone     this ticket has left (l), was revoked (r REASON) or evicted (e REASON)
--   bucket   see bucket.lua
--   needed   there while somebody waits, so that one MGET tells
--   waiters  sorted set: ticket by the time it joined
--   infos    hash: ticket -> DEADLINE JOINED LEASE RESERVE CHANNEL BELL KIND OWNER
local lock, gone, bucket, needed = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local waiters, infos = KEYS[5], KEYS[6]

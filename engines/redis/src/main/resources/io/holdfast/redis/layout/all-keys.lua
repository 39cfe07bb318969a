-- A resource of any kind: whether it keeps an order is known once it is read. See
-- layout/any-keys.lua and layout/line-keys.lua. Keys of tickets are built here, because inspectors do not know ids.
local lock, waiters, infos = KEYS[1], KEYS[2], KEYS[3]
local line, waiting, holding, watched = KEYS[1], KEYS[4], KEYS[5], KEYS[6]
local bucket, needed = KEYS[7], KEYS[8]

local function gone(id)
  return bucket .. ':x:' .. id
end
